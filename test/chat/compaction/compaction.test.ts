import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AnswerText } from "../../../src/chat/answer-text.ts";
import type { CompactedChat } from "../../../src/chat/compaction/schema.ts";
import type { ChatResponse, WireMessage } from "../../../src/chat/conversations/schema.ts";
import { runTurn } from "../../../src/chat/run-turn.ts";
import { settings } from "../../../src/db/tables.ts";
import { newId } from "../../../src/lib/id.ts";
import {
  type ScriptedMessage,
  type ScriptedUpstream,
  startScriptedUpstream,
  textIn,
} from "../../fixtures/upstreams/scripted-upstream.ts";
import { storeConnection } from "../../models/store-connection.ts";
import { createWorld, type Person, type World } from "../../world.ts";

let world: World;
let upstream: ScriptedUpstream;
let ada: Person;

const tooLong = {
  refusal: {
    status: 400,
    error: { message: "This model's maximum context length is 2000 tokens.", code: "context_length_exceeded" },
  },
};
const isTask = (messages: readonly ScriptedMessage[]) =>
  textIn(messages.at(-1)?.content).startsWith("Summarize the conv");

beforeEach(async () => {
  upstream = await startScriptedUpstream({
    small: ({ messages }) => ({ content: isTask(messages) ? "They spoke of the tides." : "Low water." }),
    silent: ({ messages }) =>
      isTask(messages)
        ? { content: "They spoke of the tides." }
        : JSON.stringify(messages).length > 8000
          ? tooLong
          : { content: "Low water." },
    never: () => tooLong,
  });
  upstream.listed["small"] = { context_length: 4000 };
  world = await createWorld();
  await storeConnection(world, { base_url: upstream.url });
  ada = await world.person();
});
afterEach(async () => {
  await Promise.all([world.close(), upstream.close()]);
});

/** Words of about so many tokens. */
const prose = (index: number, tokens: number) => `Turn ${index}. ${"The tide turns twice a day. ".repeat(tokens / 7)}`;

/** A stored chat of so many turns with answers of so many tokens. */
async function store(turns: number, tokens = 300): Promise<string> {
  const messages = Array.from({ length: turns * 2 }, (_, index) => ({
    id: `m${index}`,
    role: index % 2 === 0 ? "user" : "assistant",
    content: index % 2 === 0 ? `Question ${index / 2}` : prose((index - 1) / 2, tokens),
  }));
  const { body } = await world.call<ChatResponse>("/api/v1/chats/new", {
    as: ada,
    json: { chat: { title: "Tides", messages } },
  });
  return body.id;
}

const read = async (id: string) => (await world.call<ChatResponse>(`/api/v1/chats/${id}`, { as: ada })).body.chat;

/** Asks in the chat as the web page does, and lets the answer be written. */
async function ask(chatId: string, model = "small", more: Record<string, unknown> = {}): Promise<WireMessage> {
  const id = newId();
  const { status, body } = await world.call("/api/chat/completions", {
    as: ada,
    json: {
      model,
      stream: true,
      session_id: "s",
      chat_id: chatId,
      id,
      user_message: { id: newId(), content: "And low water?" },
      ...more,
    },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  const start = world.live.runs.at(-1)!;
  await runTurn(
    world.services,
    start,
    new AnswerText(start.continueFrom),
    { ended: () => undefined },
    new AbortController(),
  );
  await world.settled();
  return (await read(chatId)).history.messages[id]!;
}

const answersAsked = () => upstream.requests.filter(({ messages }) => !isTask(messages));
const tasks = () => upstream.requests.filter(({ messages }) => isTask(messages));
const summaries = async (chatId: string) =>
  Object.values((await read(chatId)).history.messages).filter((message) => message["contextSummary"] !== undefined);
const statuses = (message: WireMessage) =>
  (message["statusHistory"] as { description: string; done: boolean }[] | undefined) ?? [];

async function set(name: string, value: unknown): Promise<void> {
  await world.db.insert(settings).values({ name, value, updatedAt: world.services.now() });
}

describe("a conversation near the end of the model's context", () => {
  it("goes on with a summary of its beginning, and all messages stay", async () => {
    const chatId = await store(12);
    const answer = await ask(chatId);
    expect(answer).toMatchObject({ state: "done", content: "Low water." });
    expect(tasks()).toHaveLength(2);
    expect(textIn(tasks()[0]!.messages[0]!.content)).toContain("Turn 0.");
    expect(textIn(tasks()[1]!.messages[0]!.content)).toContain("They spoke of the tides.");
    const asked = answersAsked().at(-1)!.messages;
    expect(asked[0]).toMatchObject({ role: "system", content: expect.stringContaining("They spoke of the tides.") });
    expect(asked[1]).toMatchObject({ role: "user", content: expect.stringMatching(/^Question \d+$/) });
    expect(asked.at(-1)).toMatchObject({ role: "user", content: "And low water?" });
    expect(asked.length).toBeLessThan(14);
    expect(JSON.stringify(asked)).not.toContain("Turn 0.");

    const { history } = await read(chatId);
    expect(Object.keys(history.messages)).toHaveLength(26);
    expect(history.messages["m1"]!.content).toBe(prose(0, 300));
    const [kept, ...others] = await summaries(chatId);
    expect(others).toEqual([]);
    expect(kept).toMatchObject({ content: asked[1]!.content, contextSummary: "They spoke of the tides." });
    expect(statuses(answer)).toMatchObject([
      { description: "Summarizing earlier messages", done: true },
      { description: expect.stringContaining("almost too long"), done: true },
    ]);
    expect(world.live.published).toContainEqual(
      expect.objectContaining({ event: expect.objectContaining({ chat_id: chatId }) }),
    );
  });

  it("keeps to the summary in the turns after it, until it is taken back", async () => {
    const chatId = await store(12);
    await ask(chatId);
    upstream.requests.length = 0;
    const [kept] = await summaries(chatId);
    const save = (contextSummary: string | null) =>
      world.call(`/api/v1/chats/${chatId}`, {
        as: ada,
        json: { chat: { history: { messages: { [kept!.id]: { contextSummary } } } } },
      });
    expect((await save("Of mine.")).status).toBe(200);
    await ask(chatId);
    expect(tasks()).toHaveLength(0);
    expect(answersAsked().at(-1)!.messages[0]!.content).toContain("Of mine.");
    await save(null);
    expect(await summaries(chatId)).toEqual([]);
    await ask(chatId, "silent", { params: { temperature: 0 } });
    expect(JSON.stringify(upstream.requests[1]!.messages)).toContain("Turn 0.");
  });

  it("is left alone below the share, and where the setting or the model says so", async () => {
    await ask(await store(4));
    expect(tasks()).toHaveLength(0);
    await set("ENABLE_CONTEXT_COMPACTION", false);
    const chatId = await store(12);
    await ask(chatId);
    expect(tasks()).toHaveLength(0);
    expect(answersAsked().at(-1)!.messages).toHaveLength(25);
    const admin = await world.admin();
    const { status } = await world.call("/api/v1/models/create", {
      as: admin,
      json: {
        id: "small",
        name: "Small",
        base_model_id: null,
        meta: { compaction: { enabled: true, share: 95 }, context_length: 100_000 },
        params: {},
        access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }],
      },
    });
    expect(status).toBe(200);
    await ask(chatId);
    expect(tasks()).toHaveLength(0);
  });

  it("is neither shortened nor replaced by its summary for people without the permission", async () => {
    const chatId = await store(12);
    await ask(chatId);
    expect(await summaries(chatId)).toHaveLength(1);
    upstream.requests.length = 0;
    await set("permissions.default", { features: { context_compaction: false } });
    const answer = await ask(chatId);
    expect(answer.state).toBe("done");
    expect(tasks()).toHaveLength(0);
    expect(JSON.stringify(answersAsked().at(-1)!.messages)).toContain("Turn 0.");
    const refused = await ask(chatId, "silent");
    expect(refused).toMatchObject({ state: "error", error: { code: "context_length_exceeded" } });
    expect(tasks()).toHaveLength(0);
  });

  it("does not touch messages that a client sends itself", async () => {
    const chatId = await store(12);
    const messages = [{ role: "user", content: prose(0, 5000) }];
    await ask(chatId, "small", { messages });
    expect(tasks()).toHaveLength(0);
    const { status } = await world.call("/api/chat/completions", {
      as: ada,
      json: { model: "small", messages, chat_id: chatId, parent_id: "m23" },
    });
    expect(status).toBe(200);
    expect(tasks()).toHaveLength(0);
  });
});

describe("a conversation that its provider refuses as too long", () => {
  it("is shortened and sent once more, and says so", async () => {
    const chatId = await store(12);
    const answer = await ask(chatId, "silent");
    expect(answer).toMatchObject({ state: "done", content: "Low water." });
    expect(answersAsked()).toHaveLength(2);
    expect(statuses(answer).at(-1)).toMatchObject({ description: expect.stringContaining("was too long"), done: true });
    expect(await summaries(chatId)).toHaveLength(1);
  });

  it("fails with the provider's reason where that does not help, after one more attempt at most", async () => {
    await set("TASK_MODEL", "small");
    const answer = await ask(await store(12), "never");
    expect(answer).toMatchObject({ state: "error", error: { code: "context_length_exceeded" } });
    expect(answersAsked()).toHaveLength(2);
    upstream.requests.length = 0;
    const short = await ask(await store(0), "never");
    expect(short).toMatchObject({ state: "error", error: { code: "context_length_exceeded" } });
    expect(answersAsked()).toHaveLength(1);
    expect(tasks()).toHaveLength(0);
    expect(statuses(short)).toEqual([]);
  });

  it("fails with the provider's reason where no summary can be written", async () => {
    const answer = await ask(await store(12), "never");
    expect(answer).toMatchObject({ state: "error", error: { code: "context_length_exceeded" } });
    expect(statuses(answer).at(-1)).toMatchObject({
      description: "Earlier messages could not be summarized",
      done: true,
    });
  });
});

describe("shortening a conversation by hand", () => {
  const compact = (chatId: string, json: Record<string, unknown> = { model: "small" }, as = ada) =>
    world.call<CompactedChat>(`/api/v1/chats/${chatId}/compact`, { as, json });

  it("summarizes all before the last question, and later what came since", async () => {
    const chatId = await store(4);
    const { status, body } = await compact(chatId);
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      compacted: true,
      dropped_messages: 6,
      kept_messages: 2,
      summary_chars: "They spoke of the tides.".length,
      context_usage: {
        tokens: expect.any(Number),
        estimated_tokens: expect.any(Number),
        threshold: expect.any(Number),
        percent: expect.any(Number),
        source: "estimated",
      },
    });
    expect(await summaries(chatId)).toMatchObject([{ id: "m6", contextSummary: "They spoke of the tides." }]);
    expect((await compact(chatId)).body).toMatchObject({ compacted: false, reason: "too_short", context_usage: null });

    await ask(chatId);
    expect(JSON.stringify(answersAsked().at(-1)!.messages)).not.toContain("Turn 0.");
    expect((await compact(chatId)).body).toMatchObject({ compacted: true, dropped_messages: 2, kept_messages: 2 });
  });

  it("counts the chat's own model where none is named", async () => {
    const chatId = await store(3);
    expect(await compact(chatId, {})).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("model") },
    });
    await ask(chatId);
    const { status, body } = await world.call<CompactedChat>(`/api/v1/chats/${chatId}/compact`, {
      as: ada,
      method: "POST",
    });
    expect(status).toBe(200);
    expect(body.compacted).toBe(true);
  });

  it("does nothing with one question, without messages, and where it is off", async () => {
    expect((await compact(await store(1))).body).toMatchObject({ compacted: false, reason: "too_short" });
    expect((await compact(await store(0))).body).toMatchObject({ compacted: false, reason: "empty" });
    await set("ENABLE_CONTEXT_COMPACTION", false);
    expect((await compact(await store(3))).body).toMatchObject({ compacted: false, reason: "disabled" });
    expect(tasks()).toHaveLength(0);
  });

  it("needs the permission", async () => {
    const chatId = await store(3);
    await set("permissions.default", { features: { context_compaction: false } });
    expect(await compact(chatId)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(tasks()).toHaveLength(0);
    await world.db.delete(settings).where(eq(settings.name, "permissions.default"));
    expect((await compact(chatId)).body.compacted).toBe(true);
  });

  it("waits for no answer, and says when no summary came", async () => {
    const chatId = await store(3);
    await world.db.run(sql`UPDATE messages SET state = 'streaming' WHERE chat_id = ${chatId} AND id = 'm5'`);
    expect(await compact(chatId)).toMatchObject({ status: 409 });
    upstream.scripts["small"] = () => ({ content: " " });
    const { status, body } = await compact(await store(3));
    expect({ status, body }).toMatchObject({ status: 502, body: { code: "upstream_invalid_answer" } });
  });

  it("knows no chat of others, and no model that the person may not use", async () => {
    const chatId = await store(3);
    const other = await world.person();
    expect((await compact(chatId, { model: "small" }, other)).status).toBe(404);
    expect((await compact(chatId, { model: "nothing" })).status).toBe(404);
    expect((await compact(chatId, { model: 7 })).status).toBe(422);
    expect(await summaries(chatId)).toEqual([]);
  });
});
