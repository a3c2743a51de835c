import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { callSource } from "./call-source.ts";

const source = (name: string) =>
  readFileSync(path.join(import.meta.dirname, "../../src/plugins/examples", `${name}.ts`), "utf8");

test("Time zones tells what a time is elsewhere, on either side of a change of clocks", async () => {
  const convert = (time: string, from: string, to: string[]) =>
    callSource(source("time-zones"), "convert_time", { time, from, to });
  expect(await convert("2026-07-01T12:00", "Europe/Lisbon", ["Asia/Tokyo"])).toMatchObject({
    ok: true,
    value: { "Europe/Lisbon": expect.stringContaining("12:00"), "Asia/Tokyo": expect.stringContaining("20:00") },
  });
  expect(await convert("2026-03-29 09:30", "Europe/Berlin", ["UTC"])).toMatchObject({
    value: { UTC: expect.stringContaining("07:30") },
  });
  expect(await convert("2026-03-28 09:30", "Europe/Berlin", ["UTC"])).toMatchObject({
    value: { UTC: expect.stringContaining("08:30") },
  });
  expect(await convert("soon", "UTC", [])).toMatchObject({
    ok: false,
    error: { code: "threw", message: expect.stringContaining('"soon"') },
  });
  expect(await convert("2026-03-28 09:30", "Mars/Olympus", [])).toMatchObject({ ok: false });
});

test("Time zones falls back to the home zone", async () => {
  const { ok, value } = (await callSource(
    source("time-zones"),
    "time_in",
    { zone: "" },
    {
      valves: { home_zone: "Asia/Tokyo" },
    },
  )) as { ok: boolean; value: string };
  expect(ok).toBe(true);
  expect(value).toMatch(/JST|GMT\+9/);
});

test("House style adds to the system prompt what house and person say, and nothing where they say nothing", async () => {
  const messages = [
    { role: "system", content: "You are a harbour master." },
    { role: "user", content: "Hello" },
  ];
  const inlet = (valves: object, user: object, given = messages) =>
    callSource(
      source("house-style"),
      "inlet",
      { body: { model: "m", messages: given } },
      {
        valves: { ...valves },
        reserved: { __user__: { valves: user } },
      },
    );
  const said = (await inlet({ rules: "No emojis." }, { language: "Portuguese", length: "short" })) as {
    value: { messages: { role: string; content: string }[] };
  };
  expect(said.value.messages).toHaveLength(2);
  expect(said.value.messages[0]!.content).toMatch(
    /^You are a harbour master\.\n\nToday is \d{4}-\d\d-\d\d\.\nNo emojis\.\nAnswer in Portuguese\.\nKeep answers short\.$/,
  );
  expect(await inlet({ tell_date: false }, {})).toMatchObject({ value: { messages } });
  expect(await inlet({ tell_date: false, rules: "Be kind." }, {}, messages.slice(1))).toMatchObject({
    value: { messages: [{ role: "system", content: "Be kind." }, messages[1]] },
  });
});

test("Rewrite asks, lets the same model write, and replaces the answer; without a wish nothing happens", async () => {
  const body = { model: "m", messages: [{ role: "assistant", content: "A long answer" }] };
  const capabilities = (answer: unknown, complete: () => unknown) => {
    const events: unknown[] = [];
    const asked: unknown[] = [];
    return {
      events,
      asked,
      capabilities: {
        emit: async (event: unknown) => void events.push(event),
        call: async () => answer,
        request: async (name: string, args: Record<string, unknown>) => {
          asked.push([name, args["body"]]);
          return complete();
        },
      },
    };
  };
  const wanted = capabilities("Shorter", () => ({ choices: [{ message: { content: "Short" } }] }));
  expect(await callSource(source("rewrite"), "action", { body }, wanted)).toMatchObject({ ok: true });
  expect(wanted.asked).toEqual([["completion.create", expect.objectContaining({ model: "m" })]]);
  expect(wanted.events).toEqual([
    { type: "status", data: { description: "Rewriting", done: false } },
    { type: "replace", data: { content: "Short" } },
    { type: "status", data: { description: "Rewritten", done: true } },
  ]);
  const cancelled = capabilities(false, () => undefined);
  expect(await callSource(source("rewrite"), "action", { body }, cancelled)).toMatchObject({ ok: true });
  expect([cancelled.asked, cancelled.events]).toEqual([[], []]);
  const broken = capabilities("Shorter", () => {
    throw new Error("the model is away");
  });
  expect(await callSource(source("rewrite"), "action", { body }, broken)).toMatchObject({ ok: true });
  expect(broken.events.at(-1)).toMatchObject({ data: { description: expect.stringContaining("away"), done: true } });
});
