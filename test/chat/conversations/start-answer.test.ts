import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chain } from "../../../scripts/bench/writes.ts";
import { createChat } from "../../../src/chat/conversations/chats.ts";
import { interruptAnswer, interruptSilent } from "../../../src/chat/conversations/interrupt-answer.ts";
import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import { startAnswer, type AnswerStart } from "../../../src/chat/conversations/start-answer.ts";
import { finishAnswer, writeProgress } from "../../../src/chat/conversations/write-answer.ts";
import { newId } from "../../../src/lib/id.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { contextFor } from "./context-for.ts";
import { loadPath } from "./load-path.ts";
import { whole } from "./whole.ts";

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
});

const base = "/api/v1/chats";

function start(values: Partial<AnswerStart> = {}, as = ada) {
  const ids = { messageId: newId(), runId: newId() };
  return startAnswer(contextFor(world, as), {
    chatId: undefined,
    model: "m1",
    parentId: null,
    mode: "start",
    ...ids,
    ...values,
  });
}

async function read(id: string): Promise<ChatResponse> {
  return (await world.call<ChatResponse>(`${base}/${id}`, { as: ada })).body;
}

const question = (content = "What is a harbour?") => ({ id: newId(), content });

describe("starting an answer", () => {
  it("creates the chat, the question and an empty answer in one round trip", async () => {
    const asked = question("  # What is\na harbour, and what is it for in a town without any sea at all?");
    const messageId = newId();
    world.roundTrips.reset();
    const started = await start({ question: asked, messageId, runId: "r1" });
    expect(world.roundTrips.count).toBe(1);
    expect(started).toMatchObject({ runId: "r1", isRepeated: false, isNewChat: true, state: "streaming", content: "" });
    expect(started.history).toEqual([{ role: "user", content: asked.content }]);
    const chat = await read(started.chatId);
    expect(chat).toMatchObject({
      title: "What is a harbour, and what is it for in a town without…",
      current_message_id: messageId,
      chat: { models: ["m1"] },
    });
    expect(chat.chat.messages).toMatchObject([
      { id: asked.id, role: "user", childrenIds: [messageId], done: true },
      { id: messageId, role: "assistant", content: "", done: false, state: "streaming", model: "m1" },
    ]);
  });

  it("is the same answer in the same chat however often and however parallel it is repeated", async () => {
    const [asked, messageId] = [question(), newId()];
    const starts = await Promise.all(Array.from({ length: 8 }, () => start({ question: asked, messageId })));
    expect(new Set(starts.map((one) => one.chatId)).size).toBe(1);
    expect(new Set(starts.map((one) => one.runId)).size).toBe(1);
    expect(starts.filter((one) => !one.isRepeated)).toHaveLength(1);
    expect(starts.filter((one) => one.isNewChat)).toHaveLength(1);
    expect(Object.keys((await read(starts[0]!.chatId)).chat.history.messages)).toHaveLength(2);
  });

  it("appends to what the chat shows where no parent is named, however many do so at the same time", async () => {
    const { chatId } = await start({ question: question() });
    await Promise.all(
      Array.from({ length: 5 }, (_, at) => start({ chatId, question: question(`q${at}`), parentId: undefined })),
    );
    const chat = await read(chatId);
    expect(chat.chat.messages).toHaveLength(12);
    expect(chat.chat.messages.map((message) => message.role)).toEqual(
      Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? "user" : "assistant")),
    );
  });

  it("makes a second version below the same question", async () => {
    const asked = question();
    const { chatId } = await start({ question: asked });
    const messageId = newId();
    const again = await start({ chatId, messageId, parentId: asked.id });
    expect(again.history).toEqual([{ role: "user", content: asked.content }]);
    const chat = await read(chatId);
    expect(chat.chat.history.messages[asked.id]!.childrenIds).toHaveLength(2);
    expect(chat.current_message_id).toBe(messageId);
  });

  it("fills a placeholder that a client stored, where the client put it", async () => {
    const { body } = await world.call<ChatResponse>(`${base}/new`, {
      as: ada,
      json: {
        chat: {
          history: {
            messages: {
              u: { role: "user", content: "Hi" },
              a: { role: "assistant", content: "", parentId: "u", done: false },
            },
          },
        },
      },
    });
    expect(body.chat.history.messages.a).toMatchObject({ done: false, state: "done" });
    const started = await start({ chatId: body.id, messageId: "a", mode: "fill", parentId: undefined, runId: "r" });
    expect(started.history).toEqual([{ role: "user", content: "Hi" }]);
    const place = { chatId: body.id, messageId: "a", runId: "r" };
    expect(await finishAnswer(world.services, place, { state: "done" }, whole("Hello"))).toBe(true);
    expect((await read(body.id)).chat.history.messages.a).toMatchObject({
      content: "Hello",
      done: true,
      state: "done",
    });
    // A call that failed may be made again; two at the same time may not.
    const second = await start({ chatId: body.id, messageId: "a", mode: "fill", parentId: undefined });
    expect(second.content).toBe("");
    await expect(start({ chatId: body.id, messageId: "a", mode: "fill", parentId: undefined })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("goes on with an answer that has ended", async () => {
    const asked = question();
    const { chatId } = await start({ question: asked, messageId: "a", runId: "r" });
    await expect(start({ chatId, messageId: "a", mode: "continue", parentId: undefined })).rejects.toMatchObject({
      code: "conflict",
    });
    const place = { chatId, messageId: "a", runId: "r" };
    await finishAnswer(world.services, place, { state: "stopped" }, whole("One, two", { reasoning: "hm" }));
    const next = await start({ chatId, messageId: "a", mode: "continue", parentId: undefined });
    expect(next).toMatchObject({ content: "One, two", reasoning: "hm", state: "streaming" });
    expect(next.history).toEqual([
      { role: "user", content: asked.content },
      { role: "assistant", content: "One, two" },
    ]);
  });

  it.each<[string, (chatId: string) => Partial<AnswerStart>, string]>([
    ["an unknown chat", () => ({ chatId: newId() }), "not_found"],
    ["an unknown parent", (chatId) => ({ chatId, parentId: "nowhere" }), "not_found"],
    [
      "an unknown parent of the question",
      (chatId) => ({ chatId, parentId: "nowhere", question: question() }),
      "not_found",
    ],
    [
      "an unknown message to fill",
      (chatId) => ({ chatId, mode: "fill", messageId: "nowhere", parentId: undefined }),
      "not_found",
    ],
    [
      "an unknown message to go on with",
      (chatId) => ({ chatId, mode: "continue", messageId: "nowhere", parentId: undefined }),
      "not_found",
    ],
    ["a message that is no answer", (chatId) => ({ chatId, messageId: "q" }), "conflict"],
    [
      "an answer to another question",
      (chatId) => ({ chatId, messageId: "placeholder", question: question() }),
      "conflict",
    ],
  ])("refuses %s and stores nothing", async (_, values, code) => {
    const { body } = await world.call<ChatResponse>(`${base}/new`, {
      as: ada,
      json: {
        chat: {
          history: {
            messages: {
              q: { role: "user", content: "Hi" },
              placeholder: { role: "assistant", content: "", parentId: "q" },
            },
          },
        },
      },
    });
    await expect(start(values(body.id))).rejects.toMatchObject({ code });
    expect((await read(body.id)).chat).toEqual(body.chat);
  });

  it("is not for other people's chats", async () => {
    const { chatId } = await start({ question: question() });
    const bob = await world.person();
    await expect(start({ chatId, question: question(), parentId: undefined }, bob)).rejects.toMatchObject({
      code: "not_found",
    });
    const last = (await read(chatId)).current_message_id!;
    expect(await loadPath(contextFor(world, bob), chatId, last)).toEqual([]);
    expect(await loadPath(contextFor(world, ada), chatId, last)).not.toEqual([]);
  });

  it("tells the model parts, and pictures that clients keep as files, but no failed answers", async () => {
    const picture = "data:image/png;base64,AAAA";
    const parts = [{ type: "text", text: "two" }];
    const { body } = await world.call<ChatResponse>(`${base}/new`, {
      as: ada,
      json: {
        chat: {
          messages: [
            {
              id: "1",
              role: "user",
              content: "one",
              files: [{ type: "image", url: picture }, { type: "image", url: "javascript:0" }, { type: "file" }],
            },
            { id: "2", role: "assistant", content: "", error: { content: "failed" } },
            { id: "3", role: "user", content: parts },
          ],
        },
      },
    });
    expect(await loadPath(contextFor(world, ada), body.id, "3")).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "one" },
          { type: "image_url", image_url: { url: picture } },
        ],
      },
      { role: "user", content: parts },
    ]);
  });
});

describe("writing an answer", () => {
  it("is for the run that owns the message only, and over when the answer has ended", async () => {
    const { chatId } = await start({ question: question(), messageId: "a", runId: "r" });
    const [mine, other] = [
      { chatId, messageId: "a", runId: "r" },
      { chatId, messageId: "a", runId: "other" },
    ];
    expect(await writeProgress(world.services, mine, whole("He\0llo"))).toBe(true);
    expect(await writeProgress(world.services, other, whole("x"))).toBe(false);
    expect(await finishAnswer(world.services, other, { state: "done" }, whole("x"))).toBe(false);
    const end = {
      state: "error" as const,
      error: { message: "broke", code: "c" },
      usage: { total_tokens: 3 },
      extra: { sources: [1] },
    };
    expect(await finishAnswer(world.services, mine, end, whole("Hello!", { number: 2, reasoning: "why" }))).toBe(true);
    expect(await writeProgress(world.services, mine, whole("late"))).toBe(false);
    expect((await read(chatId)).chat.history.messages.a).toMatchObject({
      content: "Hello!",
      reasoning: "why",
      state: "error",
      done: true,
      error: { message: "broke", code: "c", content: "broke" },
      usage: { total_tokens: 3 },
      sources: [1],
    });
  });

  it("is not undone by a save that has seen only the beginning, but a person's edit counts", async () => {
    const { chatId } = await start({ question: question(), messageId: "a", runId: "r" });
    const save = (message: object) =>
      world.call<ChatResponse>(`${base}/${chatId}`, {
        as: ada,
        json: { chat: { history: { messages: { a: message } } } },
      });
    const stale = { role: "assistant", content: "", done: false, state: "streaming", note: "kept" };
    await save(stale);
    await writeProgress(world.services, { chatId, messageId: "a", runId: "r" }, whole("Hello"));
    expect((await save({ content: "Other", done: true, state: "done" })).body.chat.history.messages.a).toMatchObject({
      content: "Hello",
      state: "streaming",
      done: false,
      note: "kept",
    });
    await finishAnswer(
      world.services,
      { chatId, messageId: "a", runId: "r" },
      { state: "done", usage: { n: 1 } },
      whole("Hello you", { number: 2 }),
    );
    for (const old of [
      stale,
      { ...stale, content: "Hello" },
      { content: "Hello", error: { content: "x" }, usage: { n: 0 } },
    ]) {
      expect((await save(old)).body.chat.history.messages.a).toMatchObject({
        content: "Hello you",
        state: "done",
        done: true,
        usage: { n: 1 },
      });
    }
    const edited = (await save({ content: "Good day", done: true })).body.chat.history.messages.a!;
    expect(edited).toMatchObject({ content: "Good day", state: "done" });
    expect(edited).not.toHaveProperty("error");
  });

  it("ends as interrupted when its run is gone, text kept", async () => {
    const { chatId } = await start({ question: question(), messageId: "a", runId: "r" });
    const place = { chatId, messageId: "a", runId: "r" };
    await writeProgress(world.services, place, whole("Hel"));
    expect(await interruptAnswer(world.services, { ...place, runId: "other" })).toBeUndefined();
    expect(await interruptAnswer(world.services, place)).toEqual({
      ...place,
      userId: ada.id,
      content: "Hel",
      reasoning: "",
    });
    expect(await interruptAnswer(world.services, place)).toBeUndefined();
    expect((await read(chatId)).chat.history.messages.a).toMatchObject({
      content: "Hel",
      state: "interrupted",
      done: true,
    });
  });

  it("is swept up after two minutes of silence, not before", async () => {
    world.advance(200);
    await interruptSilent(world.services);
    const { chatId } = await start({ question: question(), messageId: "a", runId: "r" });
    world.advance(119);
    expect(await interruptSilent(world.services)).toEqual([]);
    await writeProgress(world.services, { chatId, messageId: "a", runId: "r" }, whole("x"));
    world.advance(119);
    expect(await interruptSilent(world.services)).toEqual([]);
    world.advance(3);
    expect(await interruptSilent(world.services)).toMatchObject([
      { chatId, messageId: "a", runId: "r", userId: ada.id },
    ]);
    expect(await interruptSilent(world.services)).toEqual([]);
  });
});

it("is refused in a chat that has as many messages as it may have, with nothing stored", async () => {
  const ctx = contextFor(world, ada, { MAX_CHAT_MESSAGES: 100 });
  const add = async (chatId: string, more: Partial<AnswerStart> = {}) => {
    const ids = { messageId: newId(), runId: newId() };
    const started = await startAnswer(ctx, {
      chatId,
      model: "m1",
      parentId: undefined,
      mode: "start",
      question: question(),
      ...ids,
      ...more,
    });
    await finishAnswer(world.services, { ...ids, chatId: started.chatId }, { state: "done" }, whole("."));
    return { ...started, ...ids };
  };
  const { id: chatId } = await createChat(ctx, { chat: chain(98) });
  const { messageId } = await add(chatId);
  await expect(add(chatId)).rejects.toMatchObject({
    code: "validation_failed",
    message: expect.stringMatching(/at most 100/),
  });
  expect((await read(chatId)).chat.messages).toHaveLength(100);
  // What adds no message goes on.
  await expect(add(chatId, { messageId, mode: "fill", question: undefined })).resolves.toMatchObject({
    state: "streaming",
  });
});
