import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type ScriptedReply,
  type ScriptedUpstream,
  startScriptedUpstream,
} from "../fixtures/upstreams/scripted-upstream.ts";
import { checkStream } from "../grammar/chat-completions.ts";
import { createWorld, type Person, type World } from "../world.ts";

/** What a model thinks, from the request to the answer and to the stored chat. */
let world: World;
let upstream: ScriptedUpstream;
let admin: Person;
let reply: ScriptedReply;

beforeEach(async () => {
  reply = { content: "<think>Hm, (maybe).</think>\n((Aside.)) Yes." };
  upstream = await startScriptedUpstream({ thinker: () => reply });
  world = await createWorld({ environment: { OPENAI_API_BASE_URLS: upstream.url } });
  admin = await world.admin();
});
afterEach(async () => {
  await world.close();
  await upstream.close();
});

interface Answer {
  choices: { message: { content: string; reasoning_content?: string }; finish_reason: string }[];
}
const messages = [{ role: "user", content: "Well?" }];

/** Streamed and whole, which must come to the same. */
async function ask(more: object = {}): Promise<{ content: string; reasoning: string }> {
  const json = { model: "thinker", messages, ...more };
  const whole = await world.call<Answer>("/api/chat/completions", { as: admin, json });
  const streamed = await world.request("/api/chat/completions", { as: admin, json: { ...json, stream: true } });
  const checked = checkStream(new Uint8Array(await streamed.arrayBuffer()), { usage: false });
  const { content, reasoning_content: reasoning = "" } = whole.body.choices[0]!.message;
  expect([checked.content.get(0) ?? "", checked.reasoning.get(0) ?? ""]).toEqual([content, reasoning]);
  return { content, reasoning };
}

describe("between tags", () => {
  test("are told apart", async () => {
    expect(await ask()).toEqual({ content: "((Aside.)) Yes.", reasoning: "Hm, (maybe)." });
  });

  test("of the request, or of the model, which may leave them in", async () => {
    const own = { reasoning_tags: ["((", "))"] };
    expect(await ask({ params: own })).toEqual({ content: "Yes.", reasoning: "Hm, (maybe).Aside." });
    for (const [id, params] of Object.entries({ own, none: { reasoning_tags: false } }))
      await world.call("/api/v1/models/create", {
        as: admin,
        json: { id, base_model_id: "thinker", name: id, meta: {}, params },
      });
    expect(await ask({ model: "own" })).toMatchObject({ content: "Yes." });
    expect(await ask({ model: "none" })).toEqual({ content: reply.content, reasoning: "" });
    expect(await ask({ model: "none", params: own })).toMatchObject({ content: "Yes." });
    for (const { request } of upstream.exchanges) expect(request).not.toHaveProperty("reasoning_tags");
  });

  test("of the connection", async () => {
    const quirks = { reasoning_tags: [["((", "))"]] };
    const json = { base_url: upstream.url, prefix_id: "odd", quirks };
    expect((await world.call("/api/v1/connections", { as: admin, json })).status).toBe(200);
    expect(await ask({ model: "odd.thinker" })).toMatchObject({ content: "Yes.", reasoning: "Hm, (maybe).Aside." });
  });

  test("that nobody wrote well are as if they were not there", async () => {
    for (const tags of ["((", 7, {}, [], [[]], [["", ""]], [null, "))"]])
      expect(await ask({ params: { reasoning_tags: tags } })).toMatchObject({ content: "((Aside.)) Yes." });
  });
});

test("an answer that is only thought is whole, and its text empty", async () => {
  reply = { content: "<think>Hm." };
  expect(await ask()).toEqual({ content: "", reasoning: "Hm." });
});

test("are stored beside the text", async () => {
  const { body: chat } = await world.call<{ id: string }>("/api/v1/chats/new", {
    as: admin,
    json: { chat: { title: "T" } },
  });
  for (const stream of [false, true]) {
    const json = { model: "thinker", messages, chat_id: chat.id, stream };
    await (await world.request("/api/chat/completions", { as: admin, json })).text();
    await world.settled();
  }
  const stored = await world.call<{
    chat: { history: { messages: Record<string, { role: string; content: string }> } };
  }>(`/api/v1/chats/${chat.id}`, { as: admin });
  const said = Object.values(stored.body.chat.history.messages).filter(({ role }) => role === "assistant");
  expect(said).toHaveLength(2);
  for (const message of said) expect(message).toMatchObject({ content: "((Aside.)) Yes.", reasoning: "Hm, (maybe)." });
});

test("a call without a name is of the only tool that there is", async () => {
  upstream.scripts["thinker"] = ({ tools }) => ({ calls: [{ name: "", arguments: { city: String(tools?.length) } }] });
  const tool = (name: string) => ({ type: "function", function: { name, parameters: {} } });
  const called = async (names: string[]) => {
    const json = { model: "thinker", messages, tools: names.map(tool) };
    const { body } = await world.call<{ choices: { message: { tool_calls: object[] } }[] }>("/api/chat/completions", {
      as: admin,
      json,
    });
    return body.choices[0]!.message.tool_calls;
  };
  expect(await called(["one"])).toMatchObject([
    { type: "function", function: { name: "one", arguments: '{"city":"1"}' } },
  ]);
  expect(await called(["one", "two"])).toMatchObject([{ function: { name: "unknown" } }]);
});
