import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { faults } from "../../fixtures/upstreams/faults.ts";
import { providers } from "../../fixtures/upstreams/providers.ts";
import { type ReplayServer, startReplayServer } from "../../fixtures/upstreams/replay-server.ts";
import { createWorld, type Person, type World } from "../../world.ts";

let world: World;
let upstream: ReplayServer;
let ada: Person;
beforeEach(async () => {
  upstream = await startReplayServer();
  upstream.models = [...Object.keys(providers), ...Object.keys(faults)];
  world = await createWorld({ environment: { OPENAI_API_BASE_URLS: upstream.url, DEFAULT_USER_ROLE: "user" } });
  ada = await world.person({ role: "user" });
});
afterEach(async () => {
  await world.close();
  await upstream.close();
});

const question = [{ role: "user", content: "What is the capital of France?" }];
const complete = <T = Record<string, unknown>>(json: object, as: Person = ada) =>
  world.call<T>("/api/chat/completions", { as, json });

interface StoredChat {
  id: string;
  chat: {
    history: {
      currentId: string;
      messages: Record<
        string,
        { id: string; parentId: string | null; role: string; content: string; state: string; error?: { code: string } }
      >;
    };
  };
}
const newChat = async (chat: object, as: Person = ada) =>
  (await world.call<StoredChat>("/api/v1/chats/new", { as, json: { chat } })).body;
const readChat = async (id: string) =>
  (await world.call<StoredChat>(`/api/v1/chats/${id}`, { as: ada })).body.chat.history;
/** The branch that is shown, from its first message on. */
const shown = async (id: string) => {
  const { currentId, messages } = await readChat(id);
  const path = [];
  for (let at: string | null = currentId; at; at = messages[at]!.parentId) path.unshift(messages[at]!);
  return path.map(({ role, content, state }) => ({ role, content, state }));
};
const paris = providers["openai"]!.content;

describe("what does not fit", () => {
  test.each([
    [{ messages: question }, "model"],
    [{ model: 5, messages: question }, "model"],
    [{ model: "openai", messages: "hello" }, "messages"],
    [{ model: "openai", messages: [{ content: "x" }] }, "messages.0.role"],
    [{ model: "openai" }, "messages"],
    [{ model: "openai", messages: [] }, "messages"],
    [{ model: "openai", messages: question, stream: "yes" }, "stream"],
  ])("%j names %s", async (body, param) => {
    const { status, body: answer } = await complete<{ error: { param: string; message: string; type: string } }>(body);
    expect(status).toBe(422);
    expect(answer.error).toMatchObject({ param, type: "invalid_request_error" });
    expect(upstream.requests.filter((request) => request.path.endsWith("completions"))).toEqual([]);
  });

  test("broken JSON is 400, too much of it 413", async () => {
    const post = (body: BodyInit) => world.request("/api/chat/completions", { method: "POST", as: ada, body });
    expect((await post("{")).status).toBe(400);
    expect(
      (await post(JSON.stringify({ model: "openai", messages: [{ role: "user", content: "x".repeat(33_000_000) }] })))
        .status,
    ).toBe(413);
  });
});

test("unknown parameters go on to the model, and what is Parley's stays here", async () => {
  await complete({
    model: "openai",
    messages: question,
    seed: 7,
    logit_bias: { 1: 2 },
    novel_option: { a: [1] },
    features: { x: true },
    background_tasks: {},
    session_id: "s",
  });
  const { body } = upstream.requests.at(-1)!;
  expect(body).toMatchObject({ model: "openai", seed: 7, logit_bias: { 1: 2 }, novel_option: { a: [1] } });
  for (const field of ["features", "background_tasks", "session_id"]) expect(body).not.toHaveProperty(field);
});

describe("a chat of one's own", () => {
  test("completed by chat_id alone: question and answer are appended", async () => {
    const { id } = await newChat({ title: "Capitals" });
    await complete({ model: "openai", messages: question, chat_id: id });
    await world.settled();
    await complete({
      model: "openai",
      messages: [...question, { role: "assistant", content: paris }, { role: "user", content: "And of Italy?" }],
      chat_id: id,
      stream: true,
    });
    await world.settled();
    expect(await shown(id)).toEqual([
      { role: "user", content: question[0]!.content, state: "done" },
      { role: "assistant", content: paris, state: "done" },
      { role: "user", content: "And of Italy?", state: "done" },
      { role: "assistant", content: paris, state: "done" },
    ]);
  });

  test("stored with an empty answer and then completed with its id", async () => {
    const history = {
      currentId: "answer-1",
      messages: {
        "question-1": {
          id: "question-1",
          parentId: null,
          childrenIds: ["answer-1"],
          role: "user",
          content: question[0]!.content,
        },
        "answer-1": { id: "answer-1", parentId: "question-1", childrenIds: [], role: "assistant", content: "" },
      },
    };
    const { id } = await newChat({ title: "Placeholder", history });
    const { status } = await complete({ model: "openai", messages: question, chat_id: id, id: "answer-1" });
    await world.settled();
    expect(status).toBe(200);
    expect(await shown(id)).toEqual([
      { role: "user", content: question[0]!.content, state: "done" },
      { role: "assistant", content: paris, state: "done" },
    ]);
  });

  test("without messages the stored branch is what the model is told", async () => {
    const history = {
      currentId: "a",
      messages: {
        q: { id: "q", parentId: null, childrenIds: ["a"], role: "user", content: "Stored question" },
        a: { id: "a", parentId: "q", childrenIds: [], role: "assistant", content: "" },
      },
    };
    const { id } = await newChat({ title: "History", history });
    await complete({ model: "openai", chat_id: id, id: "a" });
    expect(upstream.requests.at(-1)!.body).toMatchObject({ messages: [{ role: "user", content: "Stored question" }] });
  });

  test.each([
    ["fault-cut", "Hello"],
    ["fault-stop", "Hello"],
    ["fault-500", ""],
  ])("%s: what arrived is kept, with the error beside it", async (model, content) => {
    const { id } = await newChat({ title: "Faults" });
    const response = await world.request("/api/chat/completions", {
      as: ada,
      json: { model, messages: question, chat_id: id, stream: true },
    });
    await response.text();
    await world.settled();
    const { currentId, messages } = await readChat(id);
    expect(messages[currentId]).toMatchObject({ role: "assistant", content, state: "error" });
    expect(messages[currentId]!.error?.code).toBeTruthy();
  });

  test("someone else's, an unknown one and an unknown message are 404, and no provider is asked", async () => {
    const { id } = await newChat({ title: "Mine" }, await world.person({ role: "user" }));
    const mine = await newChat({ title: "Own" });
    for (const more of [
      { chat_id: id },
      { chat_id: "0192d3a0-0000-7000-8000-000000000000" },
      { chat_id: "no uuid" },
      { chat_id: mine.id, id: "unknown" },
    ]) {
      expect((await complete({ model: "openai", messages: question, ...more })).status).toBe(404);
    }
    expect(upstream.requests.filter((request) => request.path.endsWith("completions"))).toEqual([]);
  });

  test.each(["temporary:1", "local:1"])("%s is kept nowhere", async (chatId) => {
    expect((await complete({ model: "openai", messages: question, chat_id: chatId })).status).toBe(200);
    expect((await world.call("/api/v1/chats/", { as: ada })).body).toEqual([]);
  });
});

describe("after the answer", () => {
  test("/api/chat/completed gives the payload back; model and messages are enough", async () => {
    const payload = {
      model: "openai",
      messages: [...question, { role: "assistant", content: paris }],
      more: { kept: true },
    };
    expect(await world.call("/api/chat/completed", { as: ada, json: payload })).toMatchObject({
      status: 200,
      body: payload,
    });
    expect(
      (await world.call("/api/chat/completed", { as: ada, json: { model: "nowhere", messages: [] } })).status,
    ).toBe(404);
    expect((await world.call("/api/chat/completed", { as: ada, json: { model: "openai" } })).status).toBe(422);
  });
});
