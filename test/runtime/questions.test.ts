import { abortAllDurableObjects } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { sessions } from "../../src/people/auth/sessions/tables.ts";
import type { LiveEvent } from "../../src/shared/live-protocol.ts";
import { createPerson, createToken, services, type LivePerson, type Tab } from "./live-world.ts";

const confirmation: LiveEvent = {
  chat_id: "c",
  message_id: "m",
  data: { type: "confirmation", data: { title: "Sail?" } },
};
const execute: LiveEvent = { data: { type: "execute", data: { code: "return 1" } } };

function ask(
  person: LivePerson,
  event = confirmation,
  { timeoutMs = 60_000, signal = new AbortController().signal } = {},
) {
  const asked = services.live.ask(person.id, event, { timeoutMs, signal });
  // Tests look at it later.
  asked.catch(() => undefined);
  return asked;
}

async function openTab(person: LivePerson, token?: string): Promise<Tab> {
  const tab = await person.open(token);
  await tab.hello();
  return tab;
}

const answer = (tab: Tab, callId: string, value: unknown) => tab.send({ kind: "answer", call_id: callId, value });
const code = (promise: Promise<unknown>) => promise.catch((error: { code?: string }) => error.code);

describe("a question from outside of a run", () => {
  it("goes to every tab; the first answer counts, and the others hear that it is over", async () => {
    const person = await createPerson();
    const [one, two] = [await openTab(person), await openTab(person)];
    const asked = ask(person);
    const question = await one.event("confirmation");
    expect(question).toMatchObject({
      ...confirmation,
      call: { id: expect.any(String), expires_at: expect.any(Number) },
    });
    expect((await two.event("confirmation")).call).toEqual(question.call);
    answer(one, question.call!.id, "perhaps");
    answer(two, question.call!.id, false);
    expect(await asked).toBe(false);
    for (const tab of [one, two])
      expect((await tab.event("call:closed")).data.data).toEqual({ call_id: question.call!.id, reason: "answered" });
    answer(one, question.call!.id, true);
    expect((await person.call<{ calls: unknown[] }>("/api/v1/chats/calls")).body.calls).toEqual([]);
  });

  it("waits for a tab that loads again, and is told soon when there is none", async () => {
    const person = await createPerson();
    const began = Date.now();
    expect(await code(ask(person))).toBe("no_client");
    expect(Date.now() - began).toBeLessThan(30_000);
    const asked = ask(person);
    const tab = await person.open();
    const { calls } = await tab.hello();
    expect(calls).toMatchObject([confirmation]);
    answer(tab, calls[0]!.call!.id, true);
    expect(await asked).toBe(true);
  });

  it("is answered over HTTP too, by the person alone", async () => {
    const [person, other] = [await createPerson(), await createPerson()];
    const tab = await openTab(person);
    const asked = ask(person, { data: { type: "input", data: { title: "Where to?" } } });
    const { id } = (await tab.event("input")).call!;
    const { calls } = (await person.call<{ calls: LiveEvent[] }>("/api/v1/chats/calls")).body;
    expect(calls).toMatchObject([{ data: { type: "input" }, call: { id } }]);
    expect((await other.call<{ calls: LiveEvent[] }>("/api/v1/chats/calls")).body.calls).toEqual([]);
    const reply = (who: LivePerson, value: unknown) =>
      who.call(`/api/v1/chats/calls/${id}/answer`, { value }).then(({ status }) => status);
    expect(await reply(other, "There")).toBe(404);
    expect(await reply(person, 3)).toBe(422);
    expect(await reply(person, "Here")).toBe(200);
    expect(await reply(person, "There")).toBe(404);
    expect(await asked).toBe("Here");
    await tab.event("call:closed");
  });

  it("is over when its time is, and when whoever asks goes", async () => {
    const person = await createPerson();
    const tab = await openTab(person);
    expect(await code(ask(person, confirmation, { timeoutMs: 100 }))).toBe("call_timeout");
    expect((await tab.event("call:closed")).data.data).toMatchObject({ reason: "timeout" });
    const abort = new AbortController();
    const asked = ask(person, confirmation, { signal: abort.signal });
    await tab.event("confirmation");
    abort.abort();
    expect(await code(asked)).toBe("call_closed");
    expect((await tab.event("call:closed")).data.data).toMatchObject({ reason: "stopped" });
    expect(await code(ask(person, confirmation, { signal: abort.signal }))).toBe("call_closed");
    const late = await person.open();
    expect((await late.hello()).calls).toEqual([]);
  });

  it("has its code run by one tab, and gets what it returned or why it failed", async () => {
    const person = await createPerson();
    const [, two] = [await openTab(person), await person.open()];
    const session = (await two.hello()).session_id;
    two.send({ kind: "visible", visible: true });
    await vi.waitUntil(() => services.live.isPresent(person.id));
    const asked = ask(person, execute);
    const { call } = await two.event("execute");
    expect(call!.tab).toBe(session);
    answer(two, call!.id, { sum: [1, null] });
    expect(await asked).toEqual({ sum: [1, null] });
    const failing = ask(person, execute);
    two.send({ kind: "answer", call_id: (await two.event("execute")).call!.id, error: "x is not defined" });
    await expect(failing).rejects.toMatchObject({
      code: "call_closed",
      message: expect.stringMatching(/x is not defined/),
    });
  });

  it("takes no answer of a session that has ended, even where word of that was lost", async () => {
    const person = await createPerson();
    const [mine, other] = [await openTab(person), await openTab(person, await createToken(person))];
    const asked = ask(person);
    const { id } = (await mine.event("confirmation")).call!;
    await services.db.delete(sessions).where(eq(sessions.id, person.sessionId));
    answer(mine, id, true);
    expect(await mine.untilClosed()).toMatchObject({ code: 4401 });
    answer(other, id, false);
    expect(await asked).toBe(false);
  });

  it("survives the object's death under its id", async () => {
    const person = await createPerson();
    const tab = await openTab(person);
    const asked = ask(person);
    const { id } = (await tab.event("confirmation")).call!;
    await abortAllDurableObjects();
    const late = await openTab(person);
    const again = late.frames.find((frame) => frame.kind === "welcome")!.calls[0] ?? (await late.event("confirmation"));
    expect(again.call!.id).toBe(id);
    answer(late, id, true);
    expect(await asked).toBe(true);
  });
});
