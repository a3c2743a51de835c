import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { dialogue } from "./dialogue.ts";

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

function store(chat: unknown, as = ada) {
  return world.call<ChatResponse>(`${base}/new`, { as, json: { chat } });
}

function save(id: string, chat: unknown, as = ada) {
  return world.call<ChatResponse>(`${base}/${id}`, { as, json: { chat } });
}

async function read(id: string, as = ada): Promise<ChatResponse> {
  const { status, body } = await world.call<ChatResponse>(`${base}/${id}`, { as });
  expect(status).toBe(200);
  return body;
}

describe("saving", () => {
  it("lays a part over the chat and keeps the rest", async () => {
    const { body } = await store({ ...dialogue(), system: "Be brief", files: [1] });
    const saved = await save(body.id, {
      title: "Boats",
      params: { top_p: 1 },
      files: [2],
      history: { messages: { u1: { rating: 5 }, a1: { content: "Changed" } } },
    });
    expect(saved.status).toBe(200);
    expect(saved.body).toMatchObject({
      title: "Boats",
      chat: { params: { top_p: 1 }, system: "Be brief", files: [2] },
    });
    expect(saved.body.chat.history.messages.u1).toMatchObject({
      content: "What is a harbour?",
      rating: 5,
      models: ["m1"],
    });
    expect(saved.body.chat.history.messages.a1).toMatchObject({ content: "Changed", model: "m1", parentId: "u1" });
  });

  it("adds messages below what is there and removes none", async () => {
    const { body } = await store(dialogue());
    const saved = await save(body.id, {
      history: { currentId: "u2", messages: { u2: { parentId: "a1", role: "user", content: "More?" } } },
    });
    expect(saved.body.chat.messages.map((message) => message.id)).toEqual(["u1", "a1", "u2"]);
    expect(saved.body.chat.history.messages.a1!.childrenIds).toEqual(["u2"]);
  });

  it("moves a message to another parent, but never into a circle", async () => {
    const { body } = await store(dialogue());
    await save(body.id, {
      history: {
        messages: {
          b: { parentId: "a1", role: "user", content: "b" },
          c: { parentId: "b", role: "assistant", content: "c" },
        },
      },
    });
    const circle = await save(body.id, { history: { messages: { b: { parentId: "c" } } } });
    expect(circle.status).toBe(422);
    const turned = await save(body.id, { history: { messages: { c: { parentId: "a1" }, b: { parentId: "c" } } } });
    expect(turned.body.chat.history.messages).toMatchObject({
      a1: { childrenIds: ["c"] },
      c: { childrenIds: ["b"] },
      b: { childrenIds: [] },
    });
  });

  it("refuses to show a message that does not exist", async () => {
    const { body } = await store(dialogue());
    expect((await save(body.id, { history: { currentId: "nowhere" } })).status).toBe(422);
    expect((await save(body.id, { history: { currentId: "u1" } })).body.current_message_id).toBe("u1");
  });

  it("takes a key away where the save says null", async () => {
    const { body } = await store({
      history: { messages: { a: { role: "user", content: "x", annotation: { rating: 1 }, pinnedAt: 3 } } },
    });
    const saved = await save(body.id, { history: { messages: { a: { annotation: null } } } });
    expect(saved.body.chat.history.messages.a).not.toHaveProperty("annotation");
    expect(saved.body.chat.history.messages.a).toHaveProperty("pinnedAt", 3);
  });

  it("loses nothing when many write different keys of one message at the same time", async () => {
    const { body } = await store(dialogue());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        save(body.id, { [`chat${at}`]: at, history: { messages: { a1: { [`key${at}`]: { at } } } } }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200));
    const chat = await read(body.id);
    for (let at = 0; at < 20; at++) {
      expect(chat.chat.history.messages.a1).toHaveProperty(`key${at}`, { at });
      expect(chat.chat).toHaveProperty(`chat${at}`, at);
    }
  });

  it("remembers that a person chose the title", async () => {
    const chosen = async (id: string) =>
      (await world.client.execute({ sql: "SELECT title_chosen AS n FROM chats WHERE id = ?", args: [id] })).rows[0]!.n;
    const { body } = await store({ ...dialogue(), title: "New Chat" });
    expect(await chosen(body.id)).toBe(0);
    // An old copy that still has the title from before a model named the chat.
    await world.client.execute({ sql: "UPDATE chats SET title = 'Named by a model' WHERE id = ?", args: [body.id] });
    expect((await save(body.id, { ...dialogue(), title: "What is a harbour?" })).body.title).toBe("Named by a model");
    expect((await save(body.id, { ...dialogue(), title: "New Chat" })).body.title).toBe("Named by a model");
    expect(await chosen(body.id)).toBe(0);
    expect((await save(body.id, { title: "What is a harbour?" })).body.title).toBe("What is a harbour?");
    expect(await chosen(body.id)).toBe(1);
  });
});

describe("messages", () => {
  it("are edited, and the tabs are told", async () => {
    const { body } = await store(dialogue());
    const edited = await world.call<ChatResponse>(`${base}/${body.id}/messages/a1`, {
      as: ada,
      json: { content: "Better" },
    });
    expect(edited.body.chat.history.messages.a1!.content).toBe("Better");
    await world.settled();
    expect(world.live.published.at(-1)).toMatchObject({
      userId: ada.id,
      event: { chat_id: body.id, message_id: "a1", data: { type: "chat:message", data: { content: "Better" } } },
    });
    expect((await world.call(`${base}/${body.id}/messages/none`, { as: ada, json: { content: "" } })).status).toBe(404);
  });

  it("are deleted with all below them, and the newest other branch is shown", async () => {
    const { body } = await store(dialogue());
    await save(body.id, {
      history: {
        currentId: "u3",
        messages: {
          u2: { parentId: "a1", role: "user", content: "2" },
          a2: { parentId: "u1", role: "assistant", content: "other" },
          u3: { parentId: "a2", role: "user", content: "3" },
        },
      },
    });
    const path = (message: string) => `${base}/${body.id}/messages/${message}`;
    const first = await world.call<ChatResponse>(path("a2"), { as: ada, method: "DELETE" });
    expect(Object.keys(first.body.chat.history.messages).sort()).toEqual(["a1", "u1", "u2"]);
    expect(first.body.current_message_id).toBe("u2");
    const second = await world.call<ChatResponse>(path("a1"), { as: ada, method: "DELETE" });
    expect(second.body.current_message_id).toBe("u1");
    const third = await world.call<ChatResponse>(path("u1"), { as: ada, method: "DELETE" });
    expect(third.body).toMatchObject({
      current_message_id: null,
      chat: { history: { messages: {}, currentId: null }, messages: [] },
    });
    expect((await world.call(path("u1"), { as: ada, method: "DELETE" })).status).toBe(404);
  });
});

describe("what is shown after a save", () => {
  it("is the end of a flat list, and the first branch of an empty chat", async () => {
    const flat = await store({});
    const messages = [
      { id: "f1", role: "user", content: "Tide?" },
      { id: "f2", role: "assistant", content: "Out." },
    ];
    expect((await save(flat.body.id, { messages })).body.current_message_id).toBe("f2");
    const tree = await store({});
    const history = { messages: { t1: { role: "user", content: "Wind?" } } };
    expect((await save(tree.body.id, { history })).body.current_message_id).toBe("t1");
    const more = { messages: { t2: { parentId: "t1", role: "assistant", content: "None." } } };
    expect((await save(tree.body.id, { history: more })).body.current_message_id).toBe("t1");
  });

  it("refuses keys that no other call could name", async () => {
    expect((await store({ history: { messages: { "a b": { role: "user", content: "x" } } } })).status).toBe(422);
  });
});
