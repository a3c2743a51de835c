import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChatResponse } from "../../src/chat/conversations/schema.ts";
import { type AnswerEnd, finishAnswer } from "../../src/chat/conversations/write-answer.ts";
import { newId } from "../../src/lib/id.ts";
import { createWorld, type Person, type World } from "../world.ts";
import { whole } from "./conversations/whole.ts";

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
  world.live.runs.length = 0;
});

interface Started {
  status: boolean;
  task_ids: string[];
  chat_id: string;
}

const turn = (body: Record<string, unknown>, as = ada) =>
  world.call<Started & { error?: { code: string; param: string } }>("/api/chat/completions", {
    as,
    json: { model: "parley-guide", stream: true, session_id: "s", ...body },
  });

const begin = (body: Record<string, unknown> = {}) =>
  turn({ id: newId(), parent_id: null, user_message: { id: newId(), parentId: null, content: "Hi" }, ...body });

const read = async (id: string) => (await world.call<ChatResponse>(`/api/v1/chats/${id}`, { as: ada })).body;

async function end(
  started: Started,
  messageId: string,
  content = "Hello",
  how: AnswerEnd = { state: "done" },
): Promise<void> {
  const place = { chatId: started.chat_id, messageId, runId: started.task_ids[0]! };
  expect(await finishAnswer(world.services, place, how, whole(content))).toBe(true);
}

describe("a turn in the background", () => {
  it("creates a chat, hands the run to the person's session, and answers at once", async () => {
    const [id, question] = [newId(), newId()];
    const { status, body } = await turn({
      id,
      parent_id: null,
      temperature: 0.2,
      user_message: { id: question, parentId: null, content: "Hi", files: [{ id: "f" }] },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: true, task_ids: [expect.any(String)] });
    expect(world.live.runs).toMatchObject([
      {
        credential: { userId: ada.id, kind: "session", id: ada.sessionId },
        chatId: body.chat_id,
        messageId: id,
        runId: body.task_ids[0],
        model: "parley-guide",
        continueFrom: { content: "", reasoning: "" },
        generateTitle: true,
        body: { messages: [{ role: "user", content: "Hi" }], temperature: 0.2 },
      },
    ]);
    expect((await read(body.chat_id)).chat.messages).toMatchObject([
      { id: question, content: "Hi", files: [{ id: "f" }] },
      { id, done: false, state: "streaming" },
    ]);
  });

  it("that another model answers begins a chat with the chat's own models", async () => {
    const asked = (user: object) => begin({ user_message: { id: newId(), content: "Hi", models: ["tide"], ...user } });
    const chat = async (user: object) => read((await asked(user)).body.chat_id);
    const stored = await chat({ turnModel: "parley-guide" });
    expect(stored.chat.models).toEqual(["tide"]);
    expect(stored.chat.messages).toMatchObject([
      { role: "user", models: ["tide"], turnModel: "parley-guide" },
      { role: "assistant", model: "parley-guide" },
    ]);
    expect((await chat({})).chat.models).toEqual(["parley-guide"]);
    expect((await chat({ turnModel: "other" })).chat.models).toEqual(["parley-guide"]);
    expect((await chat({ turnModel: "parley-guide", models: [7] })).chat.models).toEqual(["parley-guide"]);
  });

  it("costs two round trips: who asks, and the batch that stores it", async () => {
    await begin();
    world.roundTrips.reset();
    expect((await begin()).status).toBe(200);
    expect(world.roundTrips.count).toBe(2);
  });

  it("is the same run when it is repeated, under way or over", async () => {
    const body = { id: newId(), parent_id: null, user_message: { id: newId(), content: "Hi" } };
    const first = await turn(body);
    expect((await turn(body)).body).toEqual(first.body);
    expect(world.live.runs).toHaveLength(1);
    await end(first.body, body.id);
    world.live.runs.length = 0;
    expect((await turn(body)).body).toEqual(first.body);
    expect(world.live.runs).toEqual([]);
  });

  it("answers again below the same question, with the branch that leads there", async () => {
    const [id, question] = [newId(), newId()];
    const first = await begin({ id, user_message: { id: question, parentId: null, content: "Hi" } });
    await end(first.body, id);
    const again = newId();
    const second = await turn({ chat_id: first.body.chat_id, id: again, parent_id: question });
    expect(world.live.runs[1]).toMatchObject({
      messageId: again,
      generateTitle: false,
      body: { messages: [{ role: "user", content: "Hi" }] },
    });
    expect((await read(second.body.chat_id)).chat.history.messages[question]!.childrenIds).toEqual([id, again]);
  });

  it("asks for a title as long as no answer has come to its end", async () => {
    const id = newId();
    const { body } = await begin({ id });
    await end(body, id, "Hel", { state: "stopped" });
    const next = newId();
    const second = await turn({ chat_id: body.chat_id, id: next, user_message: { id: newId(), content: "And now?" } });
    await end(second.body, next);
    await turn({ chat_id: body.chat_id, id: newId(), user_message: { id: newId(), content: "Thanks" } });
    expect(world.live.runs.map(({ generateTitle }) => generateTitle)).toEqual([true, true, false]);
  });

  it("forgets why an answer ended when it goes on", async () => {
    const id = newId();
    const { body } = await begin({ id });
    await end(body, id, "Hel", { state: "done", extra: { finish_reason: "length" } });
    expect((await read(body.chat_id)).chat.history.messages[id]).toMatchObject({ finish_reason: "length" });
    await turn({ chat_id: body.chat_id, id, continue: true });
    expect((await read(body.chat_id)).chat.history.messages[id]).not.toHaveProperty("finish_reason");
  });

  it("stores an edited question beside the old one, and a next one below the answer", async () => {
    const [id, question] = [newId(), newId()];
    const first = await begin({ id, user_message: { id: question, parentId: null, content: "Hi" } });
    const chatId = first.body.chat_id;
    await end(first.body, id);
    const edited = newId();
    await turn({
      chat_id: chatId,
      id: newId(),
      parent_id: edited,
      user_message: { id: edited, parentId: null, content: "Hello" },
    });
    const next = newId();
    await turn({
      chat_id: chatId,
      id: newId(),
      parent_id: next,
      user_message: { id: next, parentId: id, content: "More" },
    });
    const { messages } = (await read(chatId)).chat.history;
    expect(messages[edited]).toMatchObject({ parentId: null, content: "Hello" });
    expect(messages[next]).toMatchObject({ parentId: id, content: "More" });
    expect(world.live.runs.map((run) => run.body.messages)).toEqual([
      [{ role: "user", content: "Hi" }],
      [{ role: "user", content: "Hello" }],
      [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello" },
        { role: "user", content: "More" },
      ],
    ]);
  });

  it("goes on with an answer", async () => {
    const id = newId();
    const first = await begin({ id });
    await end(first.body, id, "One");
    const next = await turn({ chat_id: first.body.chat_id, id, continue: true });
    expect(next.body.task_ids).not.toEqual(first.body.task_ids);
    expect(world.live.runs[0]!.runId).toBe(first.body.task_ids[0]);
    const second = (await read(first.body.chat_id)).chat.history.messages[id];
    expect(second).toMatchObject({ content: "One", state: "streaming" });
  });

  it("fills a placeholder as the peer's clients do it, and takes the question from the messages", async () => {
    const { body: chat } = await world.call<ChatResponse>("/api/v1/chats/new", {
      as: ada,
      json: {
        chat: {
          params: { system: "Be kind" },
          history: {
            messages: {
              u: { role: "user", content: "Hi" },
              a: { role: "assistant", content: "", parentId: "u", done: false },
            },
          },
        },
      },
    });
    const messages = [{ role: "user", content: "Hi" }];
    const filled = await turn({ chat_id: chat.id, id: "a", messages, params: { temperature: 1 } });
    expect(filled.status).toBe(200);
    expect(world.live.runs[0]!.body).toMatchObject({ messages, params: { system: "Be kind", temperature: 1 } });
    await end(filled.body, "a");
    const appended = newId();
    await turn({
      chat_id: chat.id,
      id: appended,
      messages: [...messages, { role: "assistant", content: "Hello" }, { role: "user", content: "And?" }],
    });
    expect((await read(chat.id)).chat.messages.map((message) => [message.role, message.content])).toEqual([
      ["user", "Hi"],
      ["assistant", "Hello"],
      ["user", "And?"],
      ["assistant", ""],
    ]);
  });

  it.each([
    [{ background_tasks: { title_generation: false } }, false],
    [{ background_tasks: { title_generation: true } }, true],
    [{}, true],
  ])("asks for a title as it is told: %j", async (more, generateTitle) => {
    await begin(more);
    expect(world.live.runs[0]!.generateTitle).toBe(generateTitle);
  });

  it.each([
    [{}, false, false],
    [{}, true, true],
    [{ background_tasks: { tags_generation: true } }, false, false],
    [{ background_tasks: { tags_generation: false } }, true, false],
    [{ background_tasks: { tags_generation: null } }, true, true],
  ])("asks for tags as it is told, where that is switched on: %j, %j", async (more, isOn, generateTags) => {
    await world.client.execute(`INSERT OR REPLACE INTO settings VALUES ('ENABLE_TAGS_GENERATION', '${isOn}', 0)`);
    await begin(more);
    expect(world.live.runs[0]!.generateTags).toBe(generateTags);
  });

  it("says in the chat too when it cannot be started", async () => {
    const original = world.live.startRun;
    world.live.startRun = async () => Promise.reject(new Error("no object"));
    const [id, question] = [newId(), newId()];
    const { body: chat } = await world.call<ChatResponse>("/api/v1/chats/new", {
      as: ada,
      json: { chat: { title: "T" } },
    });
    const { status } = await turn({
      chat_id: chat.id,
      id,
      user_message: { id: question, parentId: null, content: "Hi" },
    });
    world.live.startRun = original;
    expect(status).toBe(500);
    expect((await read(chat.id)).chat.history.messages[id]).toMatchObject({ state: "error", done: true });
  });

  it.each<[string, Record<string, unknown>, number]>([
    ["an unknown model", { model: "none" }, 404],
    ["an unknown chat", { chat_id: newId() }, 404],
    ["a new chat without a question", { user_message: undefined }, 422],
    ["a temporary chat", { chat_id: "temporary:1" }, 422],
    ["going on without a chat", { continue: true }, 422],
  ])("refuses %s", async (_, more, status) => {
    expect((await begin(more)).status).toBe(status);
    expect(world.live.runs).toEqual([]);
  });
});

describe("tasks", () => {
  it("are listed and stopped by their owner only", async () => {
    const started = (await begin()).body;
    const bob = await world.person();
    const of = (as: Person) => world.call(`/api/tasks/chat/${started.chat_id}`, { as });
    const stop = (path: string, as: Person) => world.call(`/api/tasks/${path}`, { as, method: "POST" });
    expect((await of(ada)).body).toEqual({ task_ids: started.task_ids });
    expect((await of(bob)).body).toEqual({ task_ids: [] });
    expect((await stop(`stop/${started.task_ids[0]}`, bob)).status).toBe(404);
    expect((await stop(`chat/${started.chat_id}/stop`, bob)).status).toBe(404);
    expect((await stop(`chat/${started.chat_id}/stop`, ada)).body).toEqual({ status: true, message: "Stopped" });
    expect((await stop(`chat/${started.chat_id}/stop`, ada)).body).toEqual({
      status: true,
      message: "Nothing was running",
    });
    expect((await stop(`stop/${started.task_ids[0]}`, ada)).status).toBe(404);
  });

  it("are all shown to administrators", async () => {
    const { body } = await begin();
    expect((await world.call("/api/tasks", { as: ada })).status).toBe(403);
    const all = await world.call<{ tasks: string[] }>("/api/tasks", { as: await world.admin() });
    expect(all.body.tasks).toContain(body.task_ids[0]);
  });
});
