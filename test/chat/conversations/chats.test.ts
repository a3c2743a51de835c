import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChatResponse, ChatSummary } from "../../../src/chat/conversations/schema.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { dialogue } from "./dialogue.ts";

let world: World;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  [ada, bob] = [await world.person(), await world.person()];
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

describe("a stored chat", () => {
  it("comes without its flat list where nobody wants it", async () => {
    const { body } = await world.call<ChatResponse>("/api/v1/chats/new", {
      as: ada,
      json: { chat: { messages: [{ role: "user", content: "Hi" }] } },
    });
    const read = (query: string) => world.call<ChatResponse>(`/api/v1/chats/${body.id}${query}`, { as: ada });
    expect((await read("?flat=false")).body.chat).toMatchObject({ messages: [], history: body.chat.history });
    expect((await read("")).body.chat.messages).toHaveLength(1);
    expect((await read("?flat=maybe")).status).toBe(422);
  });

  it("comes back in the peer's shape", async () => {
    const { status, body } = await store({ ...dialogue(), files: [{ id: "f" }], system: "Be brief", tags: ["sea"] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user_id: ada.id,
      title: "Ships",
      chat: {
        title: "Ships",
        models: ["m1"],
        params: { temperature: 0.5 },
        files: [{ id: "f" }],
        system: "Be brief",
        tags: ["sea"],
        history: {
          currentId: "a1",
          messages: {
            u1: {
              parentId: null,
              childrenIds: ["a1"],
              role: "user",
              content: "What is a harbour?",
              timestamp: 1_700_000_000,
              models: ["m1"],
              done: true,
            },
            a1: { parentId: "u1", childrenIds: [], role: "assistant", model: "m1", done: true, state: "done" },
          },
        },
      },
      share_id: null,
      archived: false,
      pinned: false,
      meta: { tags: ["sea"] },
      folder_id: null,
      current_message_id: "a1",
    });
    expect(body.chat.messages.map((message) => message.id)).toEqual(["u1", "a1"]);
    expect(await read(body.id)).toEqual(body);
  });

  it("is there for its owner only", async () => {
    const { body } = await store(dialogue());
    const attempts = [
      world.call(`${base}/${body.id}`, { as: bob }),
      save(body.id, { title: "Mine" }, bob),
      world.call(`${base}/${body.id}`, { as: bob, method: "DELETE" }),
      world.call(`${base}/${body.id}/pin`, { as: bob, method: "POST" }),
      world.call(`${base}/${body.id}/archive`, { as: bob, method: "POST" }),
      world.call(`${base}/${body.id}/clone`, { as: bob, method: "POST" }),
      world.call(`${base}/${body.id}/tags`, { as: bob }),
      world.call(`${base}/${body.id}/tags`, { as: bob, json: { name: "x" } }),
      world.call(`${base}/${body.id}/tags`, { as: bob, json: { name: "x" }, method: "DELETE" }),
      world.call(`${base}/${body.id}/messages/u1`, { as: bob, json: { content: "x" } }),
      world.call(`${base}/${body.id}/messages/u1`, { as: bob, method: "DELETE" }),
      world.call(`${base}/00000000-0000-4000-8000-000000000000`, { as: bob }),
    ];
    for (const attempt of await Promise.all(attempts)) expect(attempt.status).toBe(404);
    expect(await read(body.id)).toEqual(body);
  });

  it("needs no history: a flat list of messages becomes a branch", async () => {
    const { body } = await store({
      messages: [
        { role: "user", content: "One" },
        { role: "assistant", content: "Two" },
      ],
    });
    expect(body.title).toBe("New Chat");
    expect(body.chat.messages.map((message) => [message.role, message.content])).toEqual([
      ["user", "One"],
      ["assistant", "Two"],
    ]);
    expect(body.chat.history.currentId).toBe(body.chat.messages[1]!.id);
  });

  it("keeps content that is more than text, and signs that databases trip over", async () => {
    const parts = [
      { type: "text", text: "Look" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
    ];
    const odd = "a\u0000b \ud800 \\u0000 \\\\ud800 😀";
    const { status, body } = await store({
      history: { messages: { p: { role: "user", content: parts, note: odd }, t: { role: "user", content: odd } } },
    });
    expect(status).toBe(200);
    expect(body.chat.history.messages.p!.content).toEqual(parts);
    expect(body.chat.history.messages.t!.content).toBe("ab \ufffd \\u0000 \\\\ud800 😀");
    expect(body.chat.history.messages.p!.note).toBe("ab \ufffd \\u0000 \\\\ud800 😀");
  });

  it("links a message by its parent's list of children where it names no parent", async () => {
    const { body } = await store({
      history: {
        messages: {
          a: { role: "user", content: "1", childrenIds: ["c", "b"] },
          b: { role: "assistant", content: "2" },
          c: { role: "assistant", content: "3" },
        },
      },
    });
    expect(body.chat.history.messages.a!.childrenIds).toEqual(["c", "b"]);
    expect(body.chat.history.currentId).toBe("b");
  });

  it.each([
    ["a parent that is nowhere", { a: { parentId: "x", role: "user", content: "" } }, "a"],
    ["a parent that is itself", { a: { parentId: "a", role: "user", content: "" } }, "a"],
    [
      "a circle",
      { a: { parentId: "b", role: "user", content: "" }, b: { parentId: "a", role: "user", content: "" } },
      "a",
    ],
  ])("is refused with %s, and nothing is stored", async (_, messages, at) => {
    const { status, body } = await world.call<{ issues: { path: string }[] }>(`${base}/new`, {
      as: ada,
      json: { chat: { history: { messages } } },
    });
    expect(status).toBe(422);
    expect(body.issues[0]!.path).toBe(`chat.history.messages.${at}.parentId`);
    expect((await world.call<unknown[]>(`${base}/`, { as: ada })).body).toEqual([]);
  });

  it("is refused when a message is larger than 5 MB", async () => {
    const { status } = await store({ history: { messages: { a: { role: "user", content: "x".repeat(5_000_001) } } } });
    expect(status).toBe(413);
  });

  it("holds a branch of thousands of messages, and goes with all of it", async () => {
    const messages = Object.fromEntries(
      Array.from({ length: 3000 }, (_, at) => [
        `m${at}`,
        { parentId: at === 0 ? null : `m${at - 1}`, role: "user", content: `line ${at}` },
      ]),
    );
    const { body } = await store({ history: { messages } });
    expect(body.chat.messages).toHaveLength(3000);
    world.roundTrips.reset();
    await read(body.id);
    expect(world.roundTrips.count).toBe(2);
    expect((await world.call(`${base}/${body.id}`, { as: ada, method: "DELETE" })).body).toBe(true);
    const left = await world.client.execute({
      sql: "SELECT count(*) AS n FROM messages WHERE chat_id = ?",
      args: [body.id],
    });
    expect(left.rows[0]!.n).toBe(0);
    await world.client.execute("INSERT INTO message_search (message_search) VALUES ('integrity-check')");
  });
});

describe("the list", () => {
  it("gives 60 a page, newest first, and goes on by cursor whatever changes in between", async () => {
    await world.call(`${base}/import`, {
      as: ada,
      json: Array.from({ length: 130 }, (_, at) => ({ chat: { title: `Chat ${at}` }, updated_at: 1_700_000_000 + at })),
    });
    const page = (query: string) => world.call<ChatSummary[]>(`${base}/?${query}`, { as: ada });
    const first = await page("page=1");
    expect(first.body.map((chat) => chat.title)).toEqual(Array.from({ length: 60 }, (_, at) => `Chat ${129 - at}`));
    expect((await page("page=3")).body).toHaveLength(10);
    await store({ title: "Newer" });
    const cursor = first.headers.get("x-next-cursor")!;
    const second = await page(`cursor=${encodeURIComponent(cursor)}`);
    expect(second.body[0]!.title).toBe("Chat 69");
    const third = await page(`cursor=${encodeURIComponent(second.headers.get("x-next-cursor")!)}`);
    expect(third.body).toHaveLength(10);
    expect(third.headers.get("x-next-cursor")).toBeNull();
    expect((await world.call<unknown[]>(`${base}/list`, { as: ada })).body).toHaveLength(131);
    expect((await page("cursor=nonsense")).status).toBe(400);
    expect((await page("page=0")).status).toBe(422);
  });

  it("never reads a message", async () => {
    await store(dialogue());
    const { rows } = await world.client.execute(
      "EXPLAIN QUERY PLAN SELECT id FROM chats WHERE user_id = 'x' AND archived = 0 ORDER BY updated_at DESC, id DESC LIMIT 60",
    );
    expect(rows.map((row) => row.detail).join(" ")).toContain("chats_user_updated");
    expect(rows.map((row) => row.detail).join(" ")).not.toContain("TEMP B-TREE");
    world.roundTrips.reset();
    const { body } = await world.call<ChatSummary[]>(`${base}/`, { as: ada });
    expect(world.roundTrips.count).toBe(2);
    expect(Object.keys(body[0]!).sort()).toEqual([
      "archived",
      "created_at",
      "folder_id",
      "id",
      "last_read_at",
      "pinned",
      "tags",
      "title",
      "updated_at",
    ]);
  });

  it("has pinned and archived chats in places of their own", async () => {
    const [plain, pinned, archived] = [
      (await store({ title: "plain" })).body,
      (await store({ title: "pinned" })).body,
      (await store({ title: "archived" })).body,
    ];
    expect((await world.call<ChatResponse>(`${base}/${pinned.id}/pin`, { as: ada, method: "POST" })).body.pinned).toBe(
      true,
    );
    expect(
      (await world.call<ChatResponse>(`${base}/${archived.id}/archive`, { as: ada, method: "POST" })).body.archived,
    ).toBe(true);
    const titles = async (path: string) =>
      (await world.call<ChatSummary[]>(`${base}/${path}`, { as: ada })).body.map((chat) => chat.title);
    expect(await titles("")).toEqual(["plain"]);
    expect((await titles("?include_pinned=true")).sort()).toEqual(["pinned", "plain"]);
    expect(await titles("pinned")).toEqual(["pinned"]);
    expect(await titles("archived")).toEqual(["archived"]);
    expect((await titles("all")).sort()).toEqual(["archived", "pinned", "plain"]);
    expect((await world.call(`${base}/${plain.id}/pinned`, { as: ada })).body).toBe(false);
    await world.call(`${base}/${pinned.id}/pin`, { as: ada, method: "POST" });
    expect(await titles("pinned")).toEqual([]);
    await world.call(`${base}/archive/all`, { as: ada, method: "POST" });
    expect(await titles("")).toEqual([]);
    await world.call(`${base}/unarchive/all`, { as: ada, method: "POST" });
    expect((await titles("")).sort()).toEqual(["archived", "pinned", "plain"]);
  });

  it.each([
    ["pin", "pinned"],
    ["archive", "archived"],
  ] as const)("gets the flag that the body of %s says, however often", async (action, flag) => {
    const { id } = (await store({ title: "once" })).body;
    const send = (json: unknown) => world.call<ChatResponse>(`${base}/${id}/${action}`, { as: ada, json });
    for (const wanted of [true, true, false, false]) expect((await send({ [flag]: wanted })).body[flag]).toBe(wanted);
    for (const other of [{}, { [flag]: null }]) await send(other);
    expect((await send({ [flag]: "yes" })).status).toBe(422);
    expect((await send({})).body[flag]).toBe(true);
  });
});

describe("tags, copies and exports", () => {
  it("adds and removes tags", async () => {
    const { body } = await store({ title: "Tagged" });
    const tags = (init: object) => world.call<{ name: string }[]>(`${base}/${body.id}/tags`, { as: ada, ...init });
    expect((await tags({ json: { name: "Deep Sea" } })).body).toEqual([
      { id: "deep_sea", name: "Deep Sea", user_id: ada.id, meta: null },
    ]);
    await tags({ json: { name: "Deep Sea" } });
    await tags({ json: { name: "other" } });
    expect((await world.call<unknown[]>(`${base}/all/tags`, { as: ada })).body).toHaveLength(2);
    expect((await world.call(`${base}/all/tags`, { as: bob })).body).toEqual([]);
    expect(
      (await world.call<ChatSummary[]>(`${base}/tags`, { as: ada, json: { name: "other" } })).body.map(
        (chat) => chat.id,
      ),
    ).toEqual([body.id]);
    expect((await tags({ json: { name: "other" }, method: "DELETE" })).body.map((tag) => tag.name)).toEqual([
      "Deep Sea",
    ]);
    await world.call(`${base}/${body.id}/tags/all`, { as: ada, method: "DELETE" });
    expect((await tags({})).body).toEqual([]);
  });

  it("copies a chat", async () => {
    const { body } = await store(dialogue());
    const copy = await world.call<ChatResponse>(`${base}/${body.id}/clone`, { as: ada, method: "POST" });
    // As HTTP clients send a POST without a body: an empty one.
    const empty = await world.call(`${base}/${body.id}/clone`, { as: ada, method: "POST", body: "" });
    expect(empty.status).toBe(200);
    expect(copy.status).toBe(200);
    expect(copy.body.id).not.toBe(body.id);
    expect(copy.body.title).toBe("Clone of Ships");
    expect(copy.body.chat.history).toEqual(body.chat.history);
    const named = await world.call<ChatResponse>(`${base}/${body.id}/clone`, { as: ada, json: { title: "Two" } });
    expect(named.body.title).toBe("Two");
  });

  it("takes in what it gave out, and mends broken trees of others", async () => {
    await store({ ...dialogue(), tags: ["sea"] });
    const exported = await world.call<ChatResponse[]>(`${base}/all`, { as: ada });
    const imported = await world.call<ChatResponse[]>(`${base}/import`, { as: bob, json: exported.body });
    expect(imported.status).toBe(200);
    expect(imported.body[0]).toMatchObject({
      user_id: bob.id,
      title: "Ships",
      chat: exported.body[0]!.chat,
      created_at: exported.body[0]!.created_at,
    });
    const broken = {
      a: { parentId: "gone", role: "user", content: "1" },
      b: { parentId: "c", role: "user", content: "2" },
      c: { parentId: "b", role: "user", content: "3" },
    };
    const mended = await world.call<ChatResponse[]>(`${base}/import`, {
      as: bob,
      json: { chats: [{ chat: { title: "B", history: { messages: broken } } }] },
    });
    const { messages } = mended.body[0]!.chat.history;
    expect(Object.keys(messages).sort()).toEqual(["a", "b", "c"]);
    expect(messages.a!.parentId).toBeNull();
    expect([messages.b!.parentId, messages.c!.parentId].filter((parent) => parent === null)).toHaveLength(1);
  });

  it("deletes all one's chats and nobody else's", async () => {
    await store(dialogue());
    const other = await store(dialogue(), bob);
    expect((await world.call(`${base}/`, { as: ada, method: "DELETE" })).body).toBe(true);
    expect((await world.call(`${base}/`, { as: ada })).body).toEqual([]);
    expect((await read(other.body.id, bob)).id).toBe(other.body.id);
  });
});
