import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { movedPlace } from "../../../src/chat/conversations/moved-place.ts";
import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import { messageItems } from "../../../src/stored-chats/tables.ts";
import { createWorld, type Person, type World } from "../../world.ts";

let world: World;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
  bob = await world.person();
});

/** A chat of two turns, the first with two answers; the second turn is below the older one. */
async function store(): Promise<string> {
  const message = (id: string, parentId: string | null, role: string, content: string, more = {}) => [
    id,
    { id, parentId, role, content, timestamp: 1_760_000_000, ...more },
  ];
  const messages = Object.fromEntries([
    message("q1", null, "user", "When is high water?"),
    message("a1", "q1", "assistant", "At noon. Then it falls.", { model: "m", sources: [{ name: "table" }] }),
    message("b1", "q1", "assistant", "At night."),
    message("q2", "a1", "user", "And low water?"),
    message("a2", "q2", "assistant", "In the evening."),
  ]);
  const { body } = await world.call<ChatResponse>("/api/v1/chats/new", {
    as: ada,
    json: {
      chat: { title: "Tides", models: ["m"], params: { temperature: 0.5 }, history: { currentId: "a2", messages } },
      variables: { name: "Ada" },
    },
  });
  return body.id;
}

const edit = (id: string, messageId: string, content: unknown, as = ada) =>
  world.call<ChatResponse>(`/api/v1/chats/${id}/messages/${messageId}`, { as, json: { content } });
const fork = (id: string, body: unknown, as = ada) =>
  world.call<ChatResponse>(`/api/v1/chats/${id}/fork`, { as, json: body });

describe("an edited answer", () => {
  it("keeps the model's text until it is that again, and the branch below it", async () => {
    const id = await store();
    const first = (await edit(id, "a1", "At one. Then it falls.")).body.chat.history;
    expect(first.currentId).toBe("a2");
    expect(first.messages["a1"]).toMatchObject({
      content: "At one. Then it falls.",
      edited: { original: "At noon. Then it falls.", at: expect.any(Number) },
      sources: [{ name: "table" }],
      childrenIds: ["q2"],
    });
    const second = (await edit(id, "a1", "At two.")).body.chat.history.messages["a1"]!;
    expect(second).toMatchObject({ content: "At two.", edited: { original: "At noon. Then it falls." } });
    const back = (await edit(id, "a1", "At noon. Then it falls.")).body.chat.history.messages["a1"]!;
    expect(back.content).toBe("At noon. Then it falls.");
    expect(back).not.toHaveProperty("edited");
  });

  it("is marked only where a model wrote, and changed only by its owner", async () => {
    const id = await store();
    expect((await edit(id, "q1", "When is low water?")).body.chat.history.messages["q1"]).not.toHaveProperty("edited");
    expect((await edit(id, "a1", "Never", bob)).status).toBe(404);
    expect((await edit(id, "gone", "Never")).status).toBe(404);
    expect((await edit(id, "a1", 5)).status).toBe(422);
    const { body } = await world.call<ChatResponse>(`/api/v1/chats/${id}`, { as: ada });
    expect(body.chat.history.messages["a1"]!.content).toBe("At noon. Then it falls.");
  });

  it("keeps calls of tools beside their words", async () => {
    const id = await store();
    const call = (name: string, at: number) => ({
      chatId: id,
      messageId: "a1",
      kind: "tool" as const,
      name,
      data: { call_id: name, name, state: "done", at },
      createdAt: 1,
    });
    await world.db.insert(messageItems).values([call("first", 8), call("last", 23)]);
    const { body } = await edit(id, "a1", "At half past noon. Then it falls.");
    expect(body.chat.history.messages["a1"]!["output"]).toMatchObject([
      { call_id: "first", at: 18 },
      { call_id: "last", at: 33 },
    ]);
  });

  it("has one of two texts that come at the same time, and the places of that one", async () => {
    const id = await store();
    const texts = ["At one.", "At half past one, or later."];
    const answers = await Promise.all(texts.map((text) => edit(id, "a1", text)));
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    const { body } = await world.call<ChatResponse>(`/api/v1/chats/${id}`, { as: ada });
    expect(texts).toContain(body.chat.history.messages["a1"]!.content);
  });
});

describe("a place in an edited text", () => {
  it.each([
    ["one two three", "one 2 three", 3, 3],
    ["one two three", "one 2 three", 8, 6],
    ["one two three", "one 2 three", 13, 11],
    ["one two three", "one 2 three", 5, 4],
    ["", "new", 0, 0],
    ["old", "", 3, 0],
  ])("of %j as %j: %i becomes %i", (before, after, at, expected) => {
    expect(movedPlace(before, after, at)).toBe(expected);
  });

  it("is always within the text, and in the same order", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(), fc.nat(), (before, after, one, other) => {
        const [low, high] = [one % (before.length + 1), other % (before.length + 1)].toSorted((a, b) => a - b) as [
          number,
          number,
        ];
        const [first, second] = [movedPlace(before, after, low), movedPlace(before, after, high)];
        expect(first).toBeGreaterThanOrEqual(0);
        expect(second).toBeLessThanOrEqual(after.length);
        expect(first).toBeLessThanOrEqual(second);
      }),
    );
  });
});

describe("a fork", () => {
  it("is a new chat with the branch up to the message, and nothing of the others", async () => {
    const id = await store();
    const { status, body } = await fork(id, { message_id: "a1" });
    expect(status).toBe(200);
    expect(body.id).not.toBe(id);
    expect(body).toMatchObject({
      title: "Tides (fork)",
      variables: { name: "Ada" },
      chat: { models: ["m"], params: { temperature: 0.5 }, originalChatId: id, branchPointMessageId: "a1" },
    });
    expect(body.chat.history.currentId).toBe("a1");
    expect(Object.keys(body.chat.history.messages)).toEqual(["q1", "a1"]);
    expect(body.chat.history.messages["a1"]).toMatchObject({ childrenIds: [], sources: [{ name: "table" }] });
    const { body: original } = await world.call<ChatResponse>(`/api/v1/chats/${id}`, { as: ada });
    expect(Object.keys(original.chat.history.messages)).toHaveLength(5);
  });

  it("has the title that it is given, as in the language of the page", async () => {
    const id = await store();
    expect((await fork(id, { message_id: "a1", title: "Gezeiten (Abzweigung)" })).body.title).toBe(
      "Gezeiten (Abzweigung)",
    );
    expect((await fork(id, { title: "  " })).body.title).toBe("Tides (fork)");
    expect((await fork(id, { title: "a".repeat(1001) })).status).toBe(422);
    expect((await fork(id, { title: 5 })).status).toBe(422);
  });

  it("is of the current branch where no message is named", async () => {
    const id = await store();
    const { body } = await fork(id, {});
    expect(Object.keys(body.chat.history.messages)).toEqual(["q1", "a1", "q2", "a2"]);
  });

  it("is refused for chats and messages of other people, for unknown ones, and for a chat without messages", async () => {
    const id = await store();
    expect((await fork(id, { message_id: "a1" }, bob)).status).toBe(404);
    expect((await fork(id, { message_id: "gone" })).status).toBe(404);
    expect((await fork(id, { message_id: "__proto__" })).status).toBe(404);
    expect((await fork(id, { message_id: 5 })).status).toBe(422);
    const { body } = await world.call<ChatResponse>("/api/v1/chats/new", {
      as: ada,
      json: { chat: { title: "Empty" } },
    });
    expect((await fork(body.id, {})).status).toBe(422);
  });

  it("needs the permission, as a clone does", async () => {
    const id = await store();
    const admin = await world.admin();
    const allow = (allowed: boolean) =>
      world.call("/api/v1/users/default/permissions", { as: admin, json: { chat: { fork: allowed } } });
    const clone = () => world.call<ChatResponse>(`/api/v1/chats/${id}/clone`, { as: ada, method: "POST" });
    await allow(false);
    for (const refused of [await fork(id, { message_id: "a1" }), await clone()]) {
      expect(refused).toMatchObject({ status: 403, body: { code: "forbidden", detail: expect.any(String) } });
    }
    expect((await world.call<unknown[]>("/api/v1/chats/", { as: ada })).body).toHaveLength(1);
    await allow(true);
    expect([(await fork(id, {})).status, (await clone()).status]).toEqual([200, 200]);
  });
});
