import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { newId } from "../../src/lib/id.ts";
import { createPerson, services, type LivePerson, type Tab } from "./live-world.ts";
import { scriptedAnswer } from "./scripted-answer.ts";

interface Started {
  status: boolean;
  task_ids: string[];
  chat_id: string;
}

/** Starts a turn in a new chat; its question is the name of the scripted answer. */
async function ask(person: LivePerson, body: Record<string, unknown> = {}) {
  const name = `q-${newId()}`;
  const [question, id] = [newId(), newId()];
  const { status, body: started } = await person.call<Started>("/api/chat/completions", {
    model: "scripted",
    stream: true,
    session_id: "s",
    id,
    parent_id: null,
    user_message: { id: question, parentId: null, content: name },
    ...body,
  });
  expect(status).toBe(200);
  return { id, question, chatId: started.chat_id, runId: started.task_ids[0]!, answer: scriptedAnswer(name), name };
}

async function openTab(person: LivePerson): Promise<Tab> {
  const tab = await person.open();
  await tab.hello();
  return tab;
}

/** The text that a tab has put together of the message. */
function textOf(tab: Tab, messageId: string): string {
  return tab.frames
    .filter(
      (frame) => frame.kind === "event" && frame.message_id === messageId && frame.data.type === "chat:message:delta",
    )
    .map((frame) => (frame as { data: { data: { content: string } } }).data.data.content)
    .join("");
}

function seqs(tab: Tab): number[] {
  return tab.frames.flatMap((frame) => (frame.kind === "event" ? [frame.seq] : []));
}

describe("a turn in the background", () => {
  it("streams to all tabs in step, is stored, and names the chat", async () => {
    const person = await createPerson();
    const [one, two] = [await openTab(person), await openTab(person)];
    const turn = await ask(person);
    expect((await person.chat(turn.chatId)).chat.history.messages[turn.id]).toMatchObject({
      state: "streaming",
      done: false,
      parentId: turn.question,
    });
    await turn.answer.called();
    expect((await person.call<{ task_ids: string[] }>(`/api/tasks/chat/${turn.chatId}`)).body.task_ids).toEqual([
      turn.runId,
    ]);
    await turn.answer.write({ reasoning: "Ships?" });
    await turn.answer.write({ send: "A place " });
    await one.event("chat:message:delta");
    await turn.answer.write({ send: "for ships", finish: true });
    for (const tab of [one, two]) {
      const end = await tab.event("chat:completion");
      expect(end).toMatchObject({ chat_id: turn.chatId, message_id: turn.id, run_id: turn.runId });
      expect(end.data.data).toMatchObject({
        done: true,
        state: "done",
        content: "A place for ships",
        reasoning: "Ships?",
        finish_reason: "stop",
        usage: { total_tokens: 5 },
      });
      expect(textOf(tab, turn.id)).toBe("A place for ships");
      expect((await tab.event("chat:title")).data.data).toEqual({ title: "Of harbours" });
    }
    expect(seqs(one)).toEqual(seqs(two));
    expect(seqs(one)).toEqual(seqs(one).map((_, at) => seqs(one)[0]! + at));
    const chat = await person.chat(turn.chatId);
    expect(chat.title).toBe("Of harbours");
    expect(chat.chat.history.messages[turn.id]).toMatchObject({
      content: "A place for ships",
      reasoning: "Ships?",
      state: "done",
      done: true,
      usage: { total_tokens: 5 },
    });
    expect((await person.call<{ task_ids: string[] }>(`/api/tasks/chat/${turn.chatId}`)).body.task_ids).toEqual([]);
  });

  it("goes on without any tab, is stored in steps, and is whole for a tab that comes in the middle", async () => {
    const person = await createPerson();
    const first = await openTab(person);
    const turn = await ask(person);
    await turn.answer.called();
    await turn.answer.write({ send: "One, " });
    await first.event("chat:message:delta");
    first.close();
    await first.untilClosed();
    await turn.answer.write({ send: "two, " });
    await person.message(
      turn.chatId,
      turn.id,
      (message) => message.content === "One, two, " && message.state === "streaming",
    );
    const late = await person.open();
    const welcome = await late.hello();
    expect(welcome).toMatchObject({
      replayed: false,
      runs: [
        { run_id: turn.runId, chat_id: turn.chatId, message_id: turn.id, model: "scripted", content: "One, two, " },
      ],
    });
    await turn.answer.write({ send: "three", finish: true });
    expect((await late.event("chat:completion")).data.data).toMatchObject({
      content: "One, two, three",
      state: "done",
    });
    expect(textOf(late, turn.id)).toBe("three");
  });

  it("gives a tab that was away exactly what it missed", async () => {
    const person = await createPerson();
    const [kept, dropped] = [await openTab(person), await person.open()];
    const { epoch } = await dropped.hello();
    const turn = await ask(person);
    await turn.answer.called();
    await turn.answer.write({ send: "One" });
    const { seq } = await dropped.event("chat:message:delta");
    dropped.close();
    await dropped.untilClosed();
    await turn.answer.write({ send: " two" });
    await kept.next((frame) => frame.kind === "event" && frame.seq > seq);
    const back = await person.open();
    expect(await back.hello({ epoch, since: seq })).toMatchObject({ replayed: true, epoch });
    await turn.answer.write({ send: " three", finish: true });
    await back.event("chat:completion");
    await kept.event("chat:completion");
    expect(seqs(back)).toEqual(seqs(kept).filter((each) => each > seq));
    expect(textOf(dropped, turn.id) + textOf(back, turn.id)).toBe("One two three");
  });

  it("is one run, however often it is started", async () => {
    const person = await createPerson();
    const body = {
      model: "scripted",
      stream: true,
      session_id: "s",
      id: newId(),
      parent_id: null,
      user_message: { id: newId(), content: `q-${newId()}` },
    };
    const starts = await Promise.all(
      Array.from({ length: 5 }, () => person.call<Started>("/api/chat/completions", body)),
    );
    expect(new Set(starts.map((start) => JSON.stringify(start.body))).size).toBe(1);
    const answer = scriptedAnswer(body.user_message.content);
    await answer.called();
    await answer.write({ send: "Once", finish: true });
    const { chat_id: chatId } = starts[0]!.body;
    await person.message(chatId, body.id, (message) => message.state === "done" && message.content === "Once");
    expect((await person.call<Started>("/api/chat/completions", body)).body).toEqual(starts[0]!.body);
    expect(await person.coordinator.listRuns()).toEqual([]);
  });

  it("stops when it is told to, and keeps what has arrived", async () => {
    const person = await createPerson();
    const tab = await openTab(person);
    const turn = await ask(person);
    await turn.answer.called();
    await turn.answer.write({ send: "Half" });
    await tab.event("chat:message:delta");
    expect((await person.call(`/api/tasks/stop/${turn.runId}`, {})).status).toBe(200);
    await turn.answer.over();
    expect((await tab.event("chat:completion")).data.data).toMatchObject({ state: "stopped", content: "Half" });
    const stopped = (await person.chat(turn.chatId)).chat.history.messages[turn.id]!;
    expect(stopped).toMatchObject({ state: "stopped", content: "Half", done: true });
    expect(stopped).not.toHaveProperty("error");
    expect((await person.call(`/api/tasks/stop/${turn.runId}`, {})).status).toBe(404);
  });

  it("goes on with a stopped answer", async () => {
    const person = await createPerson();
    const turn = await ask(person);
    await turn.answer.called();
    await turn.answer.write({ send: "Half" });
    await person.message(turn.chatId, turn.id, (message) => message.content === "Half");
    await person.call(`/api/tasks/chat/${turn.chatId}/stop`, {});
    await turn.answer.over();
    const tab = await openTab(person);
    await person.call("/api/chat/completions", {
      model: "scripted",
      session_id: "s",
      chat_id: turn.chatId,
      id: turn.id,
      continue: true,
    });
    expect((await tab.event("chat:active")).data.data).toMatchObject({ active: true });
    await vi.waitUntil(async () => (await turn.answer.called()).messages.at(-1)!.role === "assistant", {
      timeout: 30_000,
    });
    expect((await turn.answer.called()).messages.at(-1)!.content).toBe("Half");
    await turn.answer.write({ send: " and whole", finish: true });
    expect((await tab.event("chat:completion")).data.data).toMatchObject({ content: "Half and whole", state: "done" });
    expect(textOf(tab, turn.id)).toBe(" and whole");
  });

  it("says what went wrong, before the first word and in the middle", async () => {
    const person = await createPerson();
    const tab = await openTab(person);
    const refused = await ask(person, { user_message: { id: newId(), content: "refuse this" } });
    expect((await tab.event("chat:message:error")).data.data).toMatchObject({
      error: { message: "Slow down", code: "rate_limited" },
    });
    expect((await tab.event("chat:completion")).data.data).toMatchObject({ state: "error", content: "" });
    expect((await person.chat(refused.chatId)).chat.history.messages[refused.id]).toMatchObject({
      state: "error",
      error: { message: "Slow down" },
    });
    const cut = await ask(person);
    await cut.answer.called();
    await cut.answer.write({ send: "Half" });
    await tab.event("chat:message:delta");
    await cut.answer.write({ cut: true });
    expect((await tab.event("chat:completion")).data.data).toMatchObject({
      state: "error",
      content: "Half",
      error: { code: expect.stringMatching(/^upstream_/) },
    });
    expect((await person.chat(cut.chatId)).chat.history.messages[cut.id]).toMatchObject({
      state: "error",
      content: "Half",
    });
  });

  it("ends with its chat", async () => {
    const person = await createPerson();
    const turn = await ask(person);
    await turn.answer.called();
    expect((await person.call(`/api/v1/chats/${turn.chatId}`, undefined, "DELETE")).status).toBe(200);
    await turn.answer.over();
  });
});

describe("a process that dies", () => {
  it("leaves no answer that is written for ever: the next tab finds it interrupted, text kept", async () => {
    const person = await createPerson();
    const turn = await ask(person);
    await turn.answer.called();
    await turn.answer.write({ send: "Half" });
    await person.message(turn.chatId, turn.id, (message) => message.content === "Half");
    await abortAllDurableObjects();
    const tab = await openTab(person);
    expect(tab.frames.find((frame) => frame.kind === "welcome")).toMatchObject({ runs: [] });
    expect((await person.chat(turn.chatId)).chat.history.messages[turn.id]).toMatchObject({
      state: "interrupted",
      content: "Half",
      done: true,
    });
  });

  it("needs no tab for that: the alarm does it", async () => {
    const person = await createPerson();
    const turn = await ask(person);
    await turn.answer.called();
    await abortAllDurableObjects();
    expect(await runDurableObjectAlarm(person.coordinator)).toBe(true);
    expect((await person.chat(turn.chatId)).chat.history.messages[turn.id]).toMatchObject({ state: "interrupted" });
  });

  it("keeps its alarm while something is written, so that it is not put away", async () => {
    const person = await createPerson();
    const turn = await ask(person);
    await turn.answer.called();
    expect(await runDurableObjectAlarm(person.coordinator)).toBe(true);
    expect(await runDurableObjectAlarm(person.coordinator)).toBe(true);
    await turn.answer.write({ send: "Still here", finish: true });
    await person.message(turn.chatId, turn.id, (message) => message.state === "done");
  });
});

describe("the live socket", () => {
  it("survives the object's hibernation without a gap or a double number", async () => {
    const person = await createPerson();
    const tab = await person.open();
    const { epoch } = await tab.hello();
    await services.live.publish(person.id, { data: { type: "one", data: {} } });
    const { seq } = await tab.event("one");
    await evictDurableObject(person.coordinator);
    await services.live.publish(person.id, { data: { type: "two", data: {} } });
    expect(await tab.event("two")).toMatchObject({ seq: seq + 1 });
    const second = await person.open();
    expect(await second.hello({ epoch, since: seq })).toMatchObject({ replayed: true, epoch, seq: seq + 1 });
    const third = await person.open();
    expect(await third.hello({ epoch, since: seq - 1 })).toMatchObject({ replayed: false, epoch });
    expect(tab.frames.filter((frame) => frame.kind === "welcome")).toHaveLength(1);
  });

  it("answers pings without waking anybody", async () => {
    const person = await createPerson();
    const tab = await person.open();
    tab.send("ping");
    expect(await tab.next(() => true)).toEqual({ kind: "pong" });
  });

  it("knows whether the person looks, also after a hibernation", async () => {
    const person = await createPerson();
    expect(await services.live.isPresent(person.id)).toBe(false);
    const tab = await openTab(person);
    const becomes = (isPresent: boolean) =>
      vi.waitUntil(async () => (await services.live.isPresent(person.id)) === isPresent);
    expect(await services.live.isPresent(person.id)).toBe(false);
    tab.send({ kind: "visible", visible: true });
    await becomes(true);
    await evictDurableObject(person.coordinator);
    expect(await services.live.isPresent(person.id)).toBe(true);
    tab.send({ kind: "visible", visible: false });
    await becomes(false);
  });

  it("closes for the session that is revoked, and stops what that session had started", async () => {
    const person = await createPerson();
    const tab = await openTab(person);
    const turn = await ask(person);
    await turn.answer.called();
    await services.live.revoke(person.id, "Signed out", "another session");
    await services.live.publish(person.id, { data: { type: "later", data: {} } });
    await tab.event("later");
    expect(tab.closed).toBeUndefined();
    await services.live.revoke(person.id, "Signed out", person.sessionId);
    expect(await tab.next((frame) => frame.kind === "signed-out")).toEqual({
      kind: "signed-out",
      reason: "Signed out",
    });
    expect(await tab.untilClosed()).toEqual({ code: 4401, reason: "Signed out" });
    await turn.answer.over();
    await person.message(turn.chatId, turn.id, (message) => message.state === "stopped");
  });

  it.each([
    ["no JSON", "hello"],
    ["no frame", JSON.stringify({ kind: "execute" })],
    ["a frame of 64 KB and more", JSON.stringify({ kind: "hello", epoch: "x".repeat(70_000) })],
  ])("closes on %s", async (_, text) => {
    const tab = await (await createPerson()).open();
    tab.send(text);
    expect(await tab.untilClosed()).toMatchObject({ code: 1008 });
  });

  it("answers 426 to a plain request and 401 to a stranger", async () => {
    const person = await createPerson();
    expect((await person.call<{ code: string }>("/api/v1/events")).status).toBe(426);
  });

  it("has room for a hundred tabs of one person", async () => {
    const person = await createPerson();
    const tabs = [];
    for (let at = 0; at < 100; at++) tabs.push(await person.open());
    for (const tab of tabs) tab.send("ping");
    await Promise.all(tabs.map((tab) => tab.next(() => true)));
    await expect(person.open()).rejects.toThrow("429");
    tabs[0]!.close();
    await tabs[0]!.untilClosed();
    await person.open();
  });
});
