import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AnswerText } from "../../src/chat/answer-text.ts";
import { runTurn } from "../../src/chat/run-turn.ts";
import { newId } from "../../src/lib/id.ts";
import { maxWaitingDeliveries } from "../../src/webhooks/outbox.ts";
import { webhookDeliveries, webhookEndpoints } from "../../src/webhooks/tables.ts";
import { createWorld, type Person, type World } from "../world.ts";

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
  world.live.present.clear();
  world.live.presenceAsked.length = 0;
  world.live.runs.length = 0;
});

async function addEndpoint(more: Partial<typeof webhookEndpoints.$inferInsert> = {}, owner = ada): Promise<void> {
  const now = Date.now();
  const url = "https://hooks.harbour.example/parley";
  await world.db.insert(webhookEndpoints).values({
    id: newId(),
    userId: owner.id,
    owner: owner.id,
    url,
    sealedSecret: "",
    createdAt: now,
    updatedAt: now,
    ...more,
  });
}

/** Bodies that are to be sent, the oldest first. */
async function told(): Promise<Record<string, unknown>[]> {
  await world.settled();
  const rows = await world.db.select().from(webhookDeliveries).orderBy(webhookDeliveries.id);
  const jobs = await world.client.execute("SELECT subject FROM jobs WHERE kind = 'deliver'");
  const waiting = new Set(jobs.rows.map((row) => row[0]));
  expect(rows.every(({ id, state }) => waiting.has(id) === (state === "pending"))).toBe(true);
  return rows.map(({ payload }) => payload);
}
beforeEach(() =>
  world.client.executeMultiple("DELETE FROM webhook_endpoints; DELETE FROM jobs WHERE kind = 'deliver'"),
);

const ask = (json: object, as = ada) =>
  world.call<{ id?: string; chat_id?: string; choices?: { message: { content: string } }[] }>("/api/chat/completions", {
    as,
    json: { model: "parley-guide", ...json },
  });
const messages = [{ role: "user", content: "How do I connect a model?" }];

async function newChat(chat: object = { title: "Ferries" }): Promise<string> {
  return (await world.call<{ id: string }>("/api/v1/chats/new", { as: ada, json: { chat } })).body.id;
}

/** An answer in the background, as the app asks for it, to its end. */
async function turn(abort = new AbortController()): Promise<{ chatId: string; content: string }> {
  const asking = { session_id: "s", id: newId(), parent_id: null, user_message: { id: newId(), ...messages[0] } };
  expect((await ask(asking)).status).toBe(200);
  const start = world.live.runs.at(-1)!;
  let content = "";
  const observer = { ended: (end: { content: string }) => void ({ content } = end) };
  await runTurn(world.services, start, new AnswerText(start.continueFrom), observer, abort);
  return { chatId: start.chatId, content };
}

describe("the webhook of a person is told of a finished answer", () => {
  it("that the app asked for, with the contract's body", async () => {
    await addEndpoint();
    const { chatId, content } = await turn();
    expect(content.length).toBeGreaterThan(20);
    expect(await told()).toEqual([
      { event: "chat_response", chat: { id: chatId, title: "How do I connect a model?", last_message: content } },
    ]);
    expect((await world.call("/api/v1/webhooks/own", { as: ada })).body).toMatchObject({ pending: 1 });
  });

  it("as long as not too many deliveries wait for that person", async () => {
    await addEndpoint();
    const fill = (count: number, userId: string) =>
      world.client.execute({
        sql: `INSERT INTO jobs (id, kind, subject, user_id, due_at, deadline, created_at)
          WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ?)
          SELECT ?2 || at, 'deliver', ?2 || at, ?2, 0, 9999999999999, 0 FROM n`,
        args: [count, userId],
      });
    await fill(maxWaitingDeliveries, "others");
    await fill(maxWaitingDeliveries - 1, ada.id);
    await turn();
    expect(await world.db.select().from(webhookDeliveries)).toHaveLength(1);
    await turn();
    expect(await world.db.select().from(webhookDeliveries)).toHaveLength(1);
  });

  it.each([false, true])("that another client asked for in a stored chat (stream: %s)", async (stream) => {
    await addEndpoint();
    const chatId = await newChat();
    const answer = await world.request("/api/chat/completions", {
      as: ada,
      json: { model: "parley-guide", chat_id: chatId, messages, stream },
    });
    await answer.text();
    const [body, ...others] = await told();
    expect(others).toEqual([]);
    expect(body).toMatchObject({ event: "chat_response", chat: { id: chatId, title: "Ferries" } });
    const [stored] = await world.db.all<{ content: string }>(
      `SELECT content FROM messages WHERE chat_id = '${chatId}' AND role = 'assistant'`,
    );
    expect(body).toMatchObject({ chat: { last_message: stored!.content } });
  });

  it("that goes on, once more", async () => {
    await addEndpoint();
    const chatId = await newChat();
    const stored = { chat_id: chatId, id: "answer" };
    await world.call(`/api/v1/chats/${chatId}`, {
      as: ada,
      json: {
        chat: {
          messages: [
            { id: "q", ...messages[0] },
            { id: "answer", role: "assistant", content: "", done: false },
          ],
        },
      },
    });
    expect((await ask(stored)).status).toBe(200);
    await world.settled();
    expect((await ask(stored)).status).toBe(200);
    expect(await told()).toHaveLength(2);
  });

  it("cut where it is long, and never in the middle of a character", async () => {
    await addEndpoint();
    const chatId = await newChat({ title: "⛴".repeat(400) });
    await world.client.execute({
      sql: `INSERT INTO messages (chat_id, user_id, id, role, content, extra, created_at, updated_at)
        VALUES (?, ?, 'long', 'assistant', ?, '{}', 1, 1)`,
      args: [chatId, ada.id, "😀".repeat(5000)],
    });
    await world.call("/api/chat/completed", {
      as: ada,
      json: { model: "parley-guide", chat_id: chatId, id: "long", messages },
    });
    const [body] = (await told()) as { chat: { title: string; last_message: string } }[];
    expect([...body!.chat.last_message]).toHaveLength(4000);
    expect(body!.chat.last_message.endsWith("😀…")).toBe(true);
    expect(body!.chat.title).toBe(`${"⛴".repeat(299)}…`);
  });
});

describe("it is not told", () => {
  it("while the person looks at a tab, unless they want it always", async () => {
    await addEndpoint();
    world.live.present.add(ada.id);
    const chatId = await newChat();
    await ask({ chat_id: chatId, messages });
    expect(await told()).toEqual([]);
    expect(world.live.presenceAsked).toEqual([ada.id]);
    await world.client.execute("UPDATE webhook_endpoints SET is_always = 1");
    await ask({ chat_id: chatId, messages });
    expect(await told()).toHaveLength(1);
  });

  it("of temporary chats, and of answers that nobody keeps", async () => {
    await addEndpoint();
    await ask({ messages });
    await ask({ messages, chat_id: "temporary:1" });
    await ask({ messages, chat_id: "local:1" });
    expect(await told()).toEqual([]);
    expect(world.live.presenceAsked).toEqual([]);
  });

  it("of answers that were stopped or have failed", async () => {
    await addEndpoint();
    const abort = new AbortController();
    abort.abort("stopped");
    await turn(abort);
    const chatId = await newChat();
    expect((await ask({ chat_id: chatId, messages, model: "nobody" })).status).toBe(404);
    expect(await told()).toEqual([]);
  });

  it("where it is switched off, by the person, an administrator, or the lack of a permission", async () => {
    const chatId = await newChat();
    await addEndpoint({ isEnabled: false });
    await ask({ chat_id: chatId, messages });
    await world.client.execute("UPDATE webhook_endpoints SET is_enabled = 1");
    const as = await world.admin();
    const set = async (path: string, json: object) => expect((await world.call(path, { as, json })).status).toBe(200);
    const settings = "/api/v1/auths/admin/config";
    await set(settings, { ENABLE_USER_WEBHOOKS: false });
    await ask({ chat_id: chatId, messages });
    await set(settings, { ENABLE_USER_WEBHOOKS: null });
    await set("/api/v1/users/default/permissions", { features: { webhooks: false } });
    await ask({ chat_id: chatId, messages });
    await set("/api/v1/users/default/permissions", { features: { webhooks: true } });
    expect(await told()).toEqual([]);
  });

  it("of answers of others", async () => {
    await addEndpoint({}, await world.person());
    await ask({ chat_id: await newChat(), messages });
    expect(await told()).toEqual([]);
    expect(world.live.presenceAsked).toEqual([]);
  });
});

describe("a chat that a client keeps by itself", () => {
  const completed = (json: object, as = ada) =>
    world.call("/api/chat/completed", { as, json: { model: "parley-guide", messages, ...json } });
  /** Question and answer as clients store them. */
  const kept = () =>
    newChat({
      title: "Kept",
      history: {
        currentId: "a",
        messages: {
          q: { id: "q", parentId: null, childrenIds: ["a"], role: "user", content: "Why?" },
          a: { id: "a", parentId: "q", childrenIds: [], role: "assistant", content: "Because.", done: true },
        },
      },
    });

  it("is told of when the client says that its answer is complete, once for each answer", async () => {
    await addEndpoint();
    const chatId = await kept();
    await completed({ chat_id: chatId });
    await completed({ chat_id: chatId, id: "a" });
    expect(await told()).toEqual([
      { event: "chat_response", chat: { id: chatId, title: "Kept", last_message: "Because." } },
    ]);
  });

  it("is not told of twice where the service wrote the answer", async () => {
    await addEndpoint();
    const chatId = await newChat();
    await ask({ chat_id: chatId, messages });
    expect((await completed({ chat_id: chatId })).status).toBe(200);
    expect(await told()).toHaveLength(1);
  });

  it("is not told of while it waits for its answer, nor for a question, nor by somebody else", async () => {
    await addEndpoint();
    const stranger = await world.person();
    await addEndpoint({}, stranger);
    const chatId = await kept();
    await completed({ chat_id: chatId, id: "q" });
    await completed({ chat_id: chatId, id: "unknown" });
    await completed({ chat_id: "temporary:1", id: "a" });
    expect((await completed({ chat_id: chatId, id: "a" }, stranger)).status).toBe(404);
    world.live.present.add(ada.id);
    await completed({ chat_id: chatId, id: "a" });
    expect(await told()).toEqual([]);
  });
});

it("costs nobody else a round trip, and who has one none to the database", async () => {
  const count = async () => {
    const chatId = await newChat();
    world.roundTrips.count = 0;
    await ask({ chat_id: chatId, messages });
    await world.settled();
    return world.roundTrips.count;
  };
  await count();
  const without = await count();
  await addEndpoint();
  expect(await count()).toBe(without);
  expect(await told()).toHaveLength(1);
});
