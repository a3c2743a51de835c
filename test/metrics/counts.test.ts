import { afterEach, expect, test } from "vitest";
import { openSockets, noteSockets } from "../../src/events/open-sockets.ts";
import type { Family } from "../../src/lib/metrics/family.ts";
import { countedSession, pluginCallCount, pluginCallDuration } from "../../src/plugins/metrics.ts";
import type { PluginCall, PluginResult } from "../../src/plugins/plugin-host.ts";
import { callCount, callDuration, noteCall, tokenCount } from "../../src/usage/metrics.ts";
import type { UseRecord } from "../../src/usage/usage-state.ts";
import { attemptCount, attemptDuration, deliveryCount } from "../../src/webhooks/metrics.ts";
import { answers } from "../webhooks/start-receiver.ts";
import { createWebhookWorld, type WebhookWorld } from "../webhooks/webhook-world.ts";

let world: WebhookWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const valuesOf = ({ samples }: Family) =>
  Object.fromEntries(samples.map(({ labels, value }) => [labels.map(([, text]) => text).join(" "), value]));

test("calls of plugins count by outcome, and come back as they are", async () => {
  const owner = {};
  const results: PluginResult[] = [
    { ok: true, value: 1, streamed: false, logs: [] },
    { ok: false, error: { code: "stopped", message: "It ran too long" }, logs: [] },
  ];
  const left = [...results];
  let isClosed = false;
  const session = countedSession(owner, "tool", {
    call: async () => left.shift()!,
    close: () => void (isClosed = true),
  });
  for (const result of results) expect(await session.call({} as PluginCall)).toBe(result);
  session.close();
  expect(isClosed).toBe(true);
  expect(valuesOf(pluginCallCount.collect(owner))).toEqual({ "tool ok": 1, "tool stopped": 1 });
  expect(pluginCallDuration.collect(owner).samples.at(-1)).toMatchObject({ suffix: "_count", value: 2 });
});

test("connections are bounded: further ones are other, and calls without one are none", () => {
  const owner = {};
  const record = { api: "chat", state: "done", durationMs: 5, firstMs: null, input: 3, output: 4 } as UseRecord;
  for (let at = 0; at < 150; at++) noteCall(owner, { ...record, connectionId: `c${at}` });
  noteCall(owner, { ...record, connectionId: "c7" });
  noteCall(owner, { ...record, connectionId: "", state: "error" });
  const calls = valuesOf(callCount.collect(owner));
  expect(Object.keys(calls)).toHaveLength(102);
  expect(calls).toMatchObject({ "c7 chat done": 2, "other chat done": 50, "none chat error": 1 });
  expect(valuesOf(tokenCount.collect(owner))).toMatchObject({ "other in": 150, "other out": 200 });
  expect(new Set(callDuration.collect(owner).samples.map(({ labels }) => labels[0]![1])).size).toBe(102);
});

test("sockets are those that coordinators told last", () => {
  const owner = {};
  noteSockets(owner, "ada", 2);
  noteSockets(owner, "grace", 1);
  noteSockets(owner, "ada", 3);
  expect(openSockets(owner)).toEqual({ sockets: 4, people: 2 });
  noteSockets(owner, "ada", 0);
  expect(openSockets(owner)).toEqual({ sockets: 1, people: 1 });
});

test("webhooks count each attempt, and each delivery once at its end", async () => {
  world = await createWebhookWorld();
  const { environment } = world.services;
  const admin = await world.admin();
  await world.call("/api/v1/webhooks/service", { as: admin, method: "PUT", json: { url: world.receiver.url } });
  await world.signUp({ email: "ada@harbour.example" });
  await world.deliver();
  world.receiver.behave(answers(410));
  await world.signUp({ email: "bo@harbour.example" });
  await world.deliver();
  expect(valuesOf(attemptCount.collect(environment))).toEqual({ taken: 1, refused: 1 });
  expect(valuesOf(deliveryCount.collect(environment))).toEqual({ delivered: 1, failed: 1 });
  expect(attemptDuration.collect(environment).samples.at(-1)).toMatchObject({ suffix: "_count", value: 2 });
});
