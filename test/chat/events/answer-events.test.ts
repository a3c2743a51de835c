import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AnswerText } from "../../../src/chat/answer-text.ts";
import { interruptAnswer } from "../../../src/chat/conversations/interrupt-answer.ts";
import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import { startAnswer } from "../../../src/chat/conversations/start-answer.ts";
import { finishAnswer, writeProgress } from "../../../src/chat/conversations/write-answer.ts";
import { putMessageItem } from "../../../src/chat/events/message-items.ts";
import { messageItems, messages } from "../../../src/stored-chats/tables.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { contextFor } from "../conversations/context-for.ts";
import { whole } from "../conversations/whole.ts";
import { createEventChat, type EventChat } from "./event-chat.ts";

let world: World;
let ada: Person;
let chat: EventChat;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
  chat = await createEventChat(world, ada);
  await world.settled();
  world.live.published.length = 0;
  world.live.answers.length = 0;
});

const shown = () => world.live.published.map(({ event }) => event);

describe("while an answer is written", () => {
  const place = () => ({ chatId: chat.id, messageId: "b", runId: "r" });
  const begin = () =>
    startAnswer(contextFor(world, ada), {
      chatId: chat.id,
      messageId: "b",
      runId: "r",
      model: "m",
      parentId: undefined,
      mode: "start",
      question: { id: "q2", content: "And then?" },
    });
  const answer = async () =>
    (await chat.read()).chat.history.messages["b"] as unknown as Record<string, unknown> & { content: string };

  it("text goes into it at once, in the order of the calls", async () => {
    await begin();
    const text = new AnswerText();
    world.live.answers.push({ ...place(), text, ended: Promise.resolve() });
    text.append({ content: "a" });
    const written = chat.emit("message", { content: "b" }, place());
    text.append({ content: "c" });
    expect(text.content).toBe("abc");
    await written;
    await chat.emit("replace", { content: "d" }, place());
    text.append({ content: "e" });
    expect(text.content).toBe("de");
    // Stored and shown from there.
    expect(shown()).toEqual([]);
    await expect(chat.emit("message", { content: "x".repeat(3_999_000) }, place())).resolves.toBeUndefined();
    text.append({ content: "x".repeat(12_000_000) });
    await expect(chat.emit("message", { content: "x".repeat(10_000) }, place())).rejects.toMatchObject({
      code: "payload_too_large",
    });
  });

  it("text that comes when its end is being stored stands behind it", async () => {
    await begin();
    const text = new AnswerText();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    world.live.answers.push({ ...place(), text, ended });
    await text.close();
    const late = chat.emit("message", { content: " And more." }, place());
    await finishAnswer(world.services, place(), { state: "done" }, whole("All."));
    resolve();
    await late;
    expect((await answer()).content).toBe("All. And more.");
  });

  it("of an API call, text goes into its own text", async () => {
    const text = new AnswerText();
    text.append({ content: "a" });
    await chat.emit("message", { content: "b" }, { ...place(), text });
    await chat.emit("replace", { content: "c" }, { ...place(), text });
    expect(text.content).toBe("c");
  });

  it("text from elsewhere is not lost by the steps that follow", async () => {
    await begin();
    const step = (number: number, content: string) => ({ number, isWhole: false, content, reasoning: "" });
    await writeProgress(world.services, place(), step(1, "One, "));
    await chat.emit("message", { content: "[aside] " }, place());
    await writeProgress(world.services, place(), step(2, "two, "));
    // Once more, as its confirmation was lost.
    await writeProgress(world.services, place(), step(2, "two, "));
    await finishAnswer(world.services, place(), { state: "done" }, step(3, "three."));
    expect((await answer()).content).toBe("One, [aside] two, three.");
  });

  it("what is left open ends with it, an error that an event has said stays", async () => {
    await begin();
    await chat.emit("status", { description: "One", done: false }, place());
    await chat.emit("status", { description: "Two", done: false, hidden: true }, place());
    await chat.emit("chat:message:error", { error: "No wind" }, place());
    await putMessageItem(contextFor(world, ada), place(), "tool", "c1", { call_id: "c1", state: "running" });
    await putMessageItem(contextFor(world, ada), place(), "tool", "c2", { call_id: "c2", state: "done" });
    expect((await answer())["statusHistory"]).toMatchObject([{ done: false }, { done: false }]);
    await finishAnswer(world.services, { ...place(), runId: "another" }, { state: "done" });
    expect((await answer())["statusHistory"]).toMatchObject([{ done: false }, { done: false }]);
    await finishAnswer(world.services, place(), { state: "done" });
    expect(await answer()).toMatchObject({
      statusHistory: [
        { description: "One", done: true, hidden: false },
        { description: "Two", done: true, hidden: true },
      ],
      output: [
        { call_id: "c1", state: "error", error: expect.stringMatching(/ended before/) },
        { call_id: "c2", state: "done" },
      ],
      error: { message: "No wind" },
    });
    await chat.emit("status", { description: "Late", done: false }, place());
    expect(((await answer())["statusHistory"] as unknown[]).at(-1)).toMatchObject({ description: "Late", done: true });
  });

  it("what is left open ends also when its process is gone", async () => {
    await begin();
    await chat.emit("status", { description: "One", done: false }, place());
    await interruptAnswer(world.services, place());
    expect(await answer()).toMatchObject({ state: "interrupted", statusHistory: [{ done: true }] });
  });

  it("what belonged to an earlier answer in the same place is gone", async () => {
    chat = await createEventChat(world, ada, { sources: [{ source: { name: "own" } }] });
    await chat.emit("status", { description: "One" });
    await chat.emit("chat:message:follow_ups", { follow_ups: ["And then?"] });
    await startAnswer(contextFor(world, ada), {
      chatId: chat.id,
      messageId: "a",
      runId: "r",
      model: "m",
      parentId: undefined,
      mode: "fill",
    });
    const message = await chat.answer();
    for (const key of ["statusHistory", "sources", "followUps", "lastItem"]) expect(message).not.toHaveProperty(key);
  });
});

describe("things that change under a name", () => {
  it("are one thing, and shown each time", async () => {
    const put = (data: Record<string, unknown>, messageId: string | undefined = "a") =>
      putMessageItem(contextFor(world, ada), { chatId: chat.id, messageId }, "tool", "c1", data);
    await put({ call_id: "c1", state: "running" });
    await put({ call_id: "c1", state: "done", result: "3" });
    expect((await chat.answer())["output"]).toEqual([{ call_id: "c1", state: "done", result: "3" }]);
    expect(shown().map(({ data }) => data)).toEqual([
      { type: "chat:tool", data: { call_id: "c1", state: "running" } },
      { type: "chat:tool", data: { call_id: "c1", state: "done", result: "3" } },
    ]);
    await expect(put({}, "unknown")).rejects.toMatchObject({ code: "not_found" });
    await expect(
      putMessageItem(contextFor(world, ada), { chatId: undefined, messageId: undefined }, "tool", "c1", {}),
    ).resolves.toBeUndefined();
  });
});

describe("what events have added", () => {
  beforeEach(async () => {
    await chat.emit("status", { description: "One" });
    await chat.emit("source", { source: { name: "a" } });
    await chat.emit("files", { files: [{ id: "1" }] });
    await chat.emit("embeds", { embeds: ["<p>1</p>"] });
    await putMessageItem(contextFor(world, ada), { chatId: chat.id, messageId: "a" }, "tool", "c1", { call_id: "c1" });
  });
  const lists = {
    statusHistory: [{ description: "One", done: true, hidden: false }],
    sources: [{ source: { name: "a" } }],
    files: [{ id: "1" }],
    embeds: ["<p>1</p>"],
    output: [{ call_id: "c1" }],
  };

  it("is in the loaded chat, and stays as it is when a client saves what it has loaded", async () => {
    expect(await chat.answer()).toMatchObject(lists);
    const loaded = await chat.read();
    await chat.emit("status", { description: "Two" });
    for (let time = 0; time < 2; time++) {
      await world.call(`/api/v1/chats/${chat.id}`, { as: ada, json: { chat: loaded.chat } });
      expect(await chat.answer()).toMatchObject({
        ...lists,
        statusHistory: [...lists.statusHistory, { description: "Two" }],
      });
    }
    const [stored] = await world.db.select().from(messages).where(eq(messages.chatId, chat.id)).limit(1).offset(1);
    expect(stored!.extra).toEqual({});
  });

  it("is in exports, copies and imports", async () => {
    const all = (await world.call<ChatResponse[]>("/api/v1/chats/all", { as: ada })).body;
    const exported = all.find(({ id }) => id === chat.id)!;
    expect(exported.chat.history.messages["a"]).toMatchObject(lists);
    const copy = (await world.call<ChatResponse>(`/api/v1/chats/${chat.id}/clone`, { as: ada, json: {} })).body;
    expect(copy.chat.history.messages["a"]).toMatchObject(lists);
    const [imported] = (await world.call<ChatResponse[]>("/api/v1/chats/import", { as: ada, json: [exported] })).body;
    expect(imported!.chat.history.messages["a"]).toMatchObject(lists);
    expect(imported!.chat.history.messages["a"]).not.toHaveProperty("lastItem");
    expect(imported!.chat.messages.at(-1)).toMatchObject(lists);
  });

  it("goes with its message, and with its chat", async () => {
    const left = async () =>
      (await world.db.select().from(messageItems).where(eq(messageItems.chatId, chat.id))).length;
    expect(await left()).toBe(5);
    await world.call(`/api/v1/chats/${chat.id}/messages/a`, { as: ada, method: "DELETE" });
    expect(await left()).toBe(0);
    const another = await createEventChat(world, ada);
    await another.emit("status", { description: "One" });
    await world.call(`/api/v1/chats/${another.id}`, { as: ada, method: "DELETE" });
    expect(await world.db.select().from(messageItems).where(eq(messageItems.chatId, another.id))).toEqual([]);
  });
});
