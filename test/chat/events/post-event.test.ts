import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditEvents } from "../../../src/people/audit/tables.ts";
import { createWorld, type Person, type World } from "../../world.ts";
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
  world.live.asked.length = 0;
});

const post = (json: unknown, { as = ada, chatId = chat.id, messageId = "a" } = {}) =>
  world.call(`/api/v1/chats/${chatId}/messages/${messageId}/event`, { as, json });

describe("the event endpoint", () => {
  it("answers true when the event is stored and shown", async () => {
    const { status, body } = await post({ type: "status", data: { description: "Calling", done: false } });
    expect([status, body]).toEqual([200, true]);
    expect(await chat.answer()).toMatchObject({ statusHistory: [{ description: "Calling" }] });
    expect(world.live.published).toMatchObject([
      { userId: ada.id, event: { chat_id: chat.id, message_id: "a", data: { type: "status" } } },
    ]);
    expect((await post({ type: "chat:tags", data: ["ships"] })).body).toBe(true);
    expect((await chat.read()).chat.tags).toEqual(["ships"]);
    expect((await post({ type: "notification", data: { type: "success", content: "Done" } })).body).toBe(true);
  });

  it("is for the chat's own person alone, administrators too", async () => {
    const event = { type: "message", data: { content: "!" } };
    for (const as of [await world.person(), await world.admin()]) expect((await post(event, { as })).status).toBe(404);
    const other = await createEventChat(world, ada);
    expect((await post(event, { messageId: "unknown" })).status).toBe(404);
    expect((await post(event, { chatId: "unknown" })).status).toBe(404);
    // Of chats that only a client has, nobody can say whose they are.
    for (const chatId of ["temporary:1", "local:1"]) expect((await post(event, { chatId })).status).toBe(404);
    // What is only shown is no exception.
    const shown = { type: "notification", data: { content: "!" } };
    expect((await post(shown, { messageId: "unknown" })).status).toBe(404);
    expect((await post({ type: "chat:title", data: "x" }, { messageId: "unknown" })).status).toBe(404);
    expect((await chat.answer()).content).toBe("Hello");
    await world.call(`/api/v1/chats/${other.id}`, { as: ada, method: "DELETE" });
    expect((await post(event, { chatId: other.id })).status).toBe(404);
  });

  it.each([
    [{ type: "status" }, /data/],
    [{ data: {} }, /type/],
    [[], /./],
    ["status", /./],
    [{ type: "status", data: [] }, /data/],
    [{ type: "message", data: { content: 3 } }, /data\.content/],
    [{ type: "chat:active", data: {} }, /type/],
    [{ type: "confirmation", data: { title: "a" } }, /__event_call__/],
    [{ type: "input", data: { title: "a" } }, /__event_call__/],
  ])("refuses %j with what is wrong", async (event, what) => {
    const { status, body } = await post(event);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toMatch(what);
    expect(world.live.published).toEqual([]);
  });

  it("refuses broken JSON, and what is too large", async () => {
    const path = `/api/v1/chats/${chat.id}/messages/a/event`;
    const headers = { "content-type": "application/json" };
    const broken = await world.call(path, { as: ada, method: "POST", headers, body: '{"type": "message", "data": ' });
    expect(broken.status).toBe(400);
    const bytes = new Uint8Array([...new TextEncoder().encode('{"type":"message","data":{"content":"a'), 0xff, 0xfe]);
    const cut = await world.call(path, { as: ada, method: "POST", headers, body: bytes });
    expect(cut.status).toBe(400);
    expect((await post({ type: "message", data: { content: "x".repeat(4_000_100) } })).status).toBe(413);
    expect((await chat.answer()).content).toBe("Hello");
  });

  it("has code run in the browser only where that is allowed, and keeps it on record", async () => {
    const event = { type: "execute", data: { code: "return document.title" } };
    const { status, body } = await post(event);
    expect([status, body["code"] ?? (body["error"] as { code: string }).code]).toEqual([403, "execute_not_allowed"]);
    const open = await createWorld({ environment: { ENABLE_EXTERNAL_EXECUTE: "true" } });
    const bo = await open.person();
    const own = await createEventChat(open, bo);
    const answer = await open.call(`/api/v1/chats/${own.id}/messages/a/event`, { as: bo, json: event });
    expect([answer.status, answer.body]).toEqual([200, true]);
    expect(open.live.asked).toMatchObject([{ userId: bo.id, event: { chat_id: own.id, data: event } }]);
    const rows = await open.db.select().from(auditEvents);
    expect(rows.filter(({ action }) => action === "code.sent_to_browser")).toMatchObject([
      { actorId: bo.id, targetType: "chat", targetId: own.id, detail: { message_id: "a", code: event.data.code } },
    ]);
    await open.close();
  });
});

describe("questions over HTTP", () => {
  const wait = (type: string) => {
    const id = `${type}-${ada.id}`;
    world.live.questions.push({ userId: ada.id, event: { data: { type, data: {} }, call: { id, expires_at: 1 } } });
    return id;
  };
  const answer = (id: string, json: unknown, as = ada) => world.call(`/api/v1/chats/calls/${id}/answer`, { as, json });

  it("are listed and answered by their person", async () => {
    const id = wait("confirmation");
    expect((await world.call("/api/v1/chats/calls", { as: ada })).body).toEqual({
      calls: [{ data: { type: "confirmation", data: {} }, call: { id, expires_at: 1 } }],
    });
    expect((await world.call("/api/v1/chats/calls", { as: await world.person() })).body).toEqual({ calls: [] });
    expect((await answer(id, { value: true }, await world.admin())).status).toBe(404);
    expect((await answer(id, { value: "yes" })).status).toBe(422);
    expect((await answer(id, { error: "no" })).status).toBe(422);
    expect((await answer(id, [])).status).toBe(422);
    expect([(await answer(id, { value: true })).body, (await answer(id, { value: true })).status]).toEqual([true, 404]);
  });

  it.each([
    ["input", { value: "there" }, 200],
    ["input", { value: false }, 200],
    ["input", { value: null }, 200],
    ["input", { value: 3 }, 422],
    ["input", { value: "x".repeat(1_000_001) }, 422],
    ["execute", { value: { a: [1] } }, 200],
    ["execute", {}, 200],
    ["execute", { error: "x is not defined" }, 200],
    ["execute", { error: "x".repeat(4001) }, 422],
  ])("of the kind %s take %j: %i", async (type, json, status) => {
    expect((await answer(wait(type), json)).status).toBe(status);
  });
});
