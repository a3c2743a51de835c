import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import { importItems } from "../../../src/imports/tables.ts";
import { newId } from "../../../src/lib/id.ts";
import type { Person } from "../../world.ts";
import { createImportWorld, type ImportWorld } from "./import-world.ts";

let world: ImportWorld;
let ada: Person;

beforeAll(async () => {
  world = await createImportWorld();
  ada = await world.person();
  await world.know("owui-ada", ada);
});
afterAll(() => world.close());

const chatOf = async (id: string, as = ada) => (await world.call<ChatResponse>(`/api/v1/chats/${id}`, { as })).body;

const messages = () => ({
  q: {
    id: "q",
    role: "user",
    content: "Which ships?",
    parentId: null,
    childrenIds: ["a", "b"],
    timestamp: 1_700_000_000,
  },
  a: {
    id: "a",
    role: "assistant",
    content: "Two.",
    parentId: "q",
    model: "gull",
    usage: { total_tokens: 7 },
    annotation: { rating: 1 },
    timestamp: 1_700_000_001,
  },
  b: {
    id: "b",
    role: "assistant",
    content: "Three.",
    parentId: "q",
    model: "tern",
    reasoning: "Hm",
    timestamp: 1_700_000_002,
  },
});
const record = (id: string, more: Record<string, unknown> = {}) => ({
  kind: "chat",
  id,
  person_id: "owui-ada",
  title: "Ships",
  chat: {
    models: ["gull", "tern"],
    params: { temperature: 0 },
    system: "Be brief",
    history: { currentId: "a", messages: messages() },
  },
  tags: ["Sea"],
  meta: { icon: "x" },
  variables: { CITY: "Oslo" },
  pinned: true,
  archived: true,
  created_at: 1_600_000_000,
  updated_at: 1_600_000_100,
  last_read_at: 1_600_000_050,
  ...more,
});

describe("a chat", () => {
  test("arrives field by field, once", async () => {
    const id = newId();
    const [result] = await world.post([record(id)]);
    expect(result).toEqual({ kind: "chat", id, state: "created", earlier: false, target_id: id, notes: [] });
    const chat = await chatOf(id);
    expect(chat).toMatchObject({
      user_id: ada.id,
      title: "Ships",
      pinned: true,
      archived: true,
      created_at: 1_600_000_000,
      updated_at: 1_600_000_100,
      last_read_at: 1_600_000_050,
      variables: { CITY: "Oslo" },
      meta: { icon: "x", tags: ["sea"] },
      current_message_id: "a",
      chat: { models: ["gull", "tern"], params: { temperature: 0 }, system: "Be brief", tags: ["Sea"] },
    });
    expect(chat.chat.history.messages).toMatchObject({
      q: { content: "Which ships?", childrenIds: ["a", "b"], parentId: null, timestamp: 1_700_000_000 },
      a: { content: "Two.", model: "gull", usage: { total_tokens: 7 }, annotation: { rating: 1 }, parentId: "q" },
      b: { content: "Three.", model: "tern", reasoning: "Hm" },
    });
    const [again] = await world.post([record(id, { title: "Other" })]);
    expect(again).toMatchObject({ state: "created", earlier: true, target_id: id });
    expect((await chatOf(id)).title).toBe("Ships");
  });

  test("whose id is taken gets another one, and what refers to it follows", async () => {
    const id = newId();
    const other = await world.person();
    await world.db
      .run(sql`INSERT INTO chats (id, user_id, organization_id, title, models, params, meta, variables, extra, created_at, updated_at)
      SELECT ${id}, id, organization_id, 'Theirs', '[]', '{}', '{}', '{}', '{}', 1, 1 FROM users WHERE id = ${other.id}`);
    const results = await world.post([
      record(id),
      {
        kind: "chat_messages",
        id: `${id}#1`,
        chat_id: id,
        person_id: "owui-ada",
        messages: { c: { role: "user", content: "More", parentId: "a" } },
        current_id: "c",
      },
    ]);
    expect(results[0]).toMatchObject({
      state: "changed",
      notes: [`Its id was taken or isn't allowed: it is ${results[0]!.target_id} here`],
    });
    expect(results[0]!.target_id).not.toBe(id);
    const chat = await chatOf(results[0]!.target_id!);
    expect(chat.current_message_id).toBe("c");
    expect(chat.chat.history.messages["c"]).toMatchObject({ parentId: "a", content: "More" });
    expect((await chatOf(id, other)).chat.history.messages).toEqual({});
  });

  test("in the folder of somebody else is in none", async () => {
    const other = await world.person();
    await world.know("owui-other", other);
    const [folderId, id] = [newId(), newId()];
    await world.post([{ kind: "folder", id: folderId, person_id: "owui-other", name: "Theirs" }]);
    await world.post([record(id, { folder_id: folderId })]);
    expect((await chatOf(id)).folder_id).toBeNull();
  });

  test("of a person who wasn't imported is left out, and comes when they are there", async () => {
    const id = newId();
    const [result] = await world.post([record(id, { person_id: "late" })]);
    expect(result).toMatchObject({ state: "left_out", target_id: null, notes: ["Its owner wasn't imported"] });
    const late = await world.person();
    await world.know("late", late);
    expect((await world.post([record(id, { person_id: "late" })]))[0]).toMatchObject({
      state: "created",
      earlier: false,
    });
  });

  test("with a broken tree has all messages", async () => {
    const id = newId();
    const broken = {
      x: { role: "user", content: "x", parentId: "gone" },
      y: { role: "user", content: "y", parentId: "z" },
      z: { role: "user", content: "z", parentId: "y" },
    };
    const [result] = await world.post([record(id, { chat: { history: { messages: broken } } })]);
    expect(result).toMatchObject({
      state: "changed",
      notes: ["2 messages were put at the top: the message before was missing, or there was a loop"],
    });
    expect(Object.keys((await chatOf(id)).chat.history.messages).sort()).toEqual(["x", "y", "z"]);
  });

  test("keeps its files under their ids here", async () => {
    const [old, here, id] = [newId(), newId(), newId()];
    await world.know(old, { id: here }, "file");
    const content = `![a](/api/v1/files/${old}/content)`;
    const files = [
      { type: "file", id: old, name: "a.pdf", url: old },
      { type: "image", url: `/api/v1/files/${old}/content` },
    ];
    await world.post([record(id, { chat: { files, history: { messages: { m: { role: "user", content, files } } } } })]);
    const text = JSON.stringify(await chatOf(id));
    expect(text).not.toContain(old);
    expect(text).toContain(`/api/v1/files/${here}/content`);
  });

  test("with hostile content does no harm", async () => {
    const id = newId();
    const title = "'); DROP TABLE chats; -- <script>\ud800";
    const chat = `{"__proto__":{"polluted":1},"history":{"messages":{"__proto__":{"role":"user","content":"p"},"m":{"role":"user","content":"\\ud800 \\u0000 ok","__proto__":{"a":1}}}}}`;
    const [result] = await world.post([record(id, { title, chat: JSON.parse(chat) as unknown })]);
    expect(result!.target_id).toBe(id);
    const stored = await chatOf(id);
    expect(stored.title).toContain("DROP TABLE chats; -- <script>");
    expect(stored.chat.history.messages["m"]!.content).toBe("\ufffd  ok");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("with a message that is too large arrives, cut", async () => {
    const id = newId();
    const large = {
      m: { role: "user", content: "a".repeat(6_000_000) },
      n: { role: "assistant", content: "short", parentId: "m" },
    };
    const [result] = await world.post([record(id, { chat: { history: { messages: large } } })]);
    expect(result).toMatchObject({
      state: "changed",
      notes: ["1 message was cut: the text, or what was with it, was too large"],
    });
    const { messages: stored } = (await chatOf(id)).chat.history;
    expect(stored["n"]!.content).toBe("short");
    expect((stored["m"]!.content as string).length).toBeGreaterThan(1_000_000);
  });

  test("that was interrupted between its transactions is brought again as a whole", async () => {
    const id = newId();
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `m${at}`,
        { role: "user", content: "x".repeat(20_000), parentId: at === 0 ? null : `m${at - 1}` },
      ]),
    );
    const large = record(id, { chat: { history: { currentId: "m59", messages: many } } });
    expect((await world.post([large]))[0]).toMatchObject({ state: "created" });
    // As a process leaves it that was killed in between.
    await world.db.run(sql`UPDATE import_items SET state = 'begun' WHERE source_id = ${id}`);
    for (let at = 59; at > 30; at -= 1)
      await world.db.run(sql`DELETE FROM messages WHERE chat_id = ${id} AND id = ${`m${at}`}`);
    expect((await world.post([large]))[0]).toMatchObject({ state: "created", earlier: false, target_id: id });
    const chat = await chatOf(id);
    expect(Object.keys(chat.chat.history.messages)).toHaveLength(60);
    expect(chat.current_message_id).toBe("m59");
    const items = await world.db
      .select()
      .from(importItems)
      .where(sql`source_id = ${id}`);
    expect(items.map(({ state }) => state)).toEqual(["created"]);
  });

  test("whose later part fails takes nothing with it, and is brought again as a whole", async () => {
    const [before, id] = [newId(), newId()];
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        at === 59 ? "refused" : `m${at}`,
        { role: "user", content: "x".repeat(20_000), parentId: at === 0 ? null : `m${at - 1}` },
      ]),
    );
    const large = record(id, { chat: { history: { currentId: "refused", messages: many } } });
    await world.db.run(sql`CREATE TRIGGER refuse BEFORE INSERT ON messages WHEN NEW.id = 'refused'
      BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed'); END`);
    expect((await world.post([record(before), large])).map(({ state }) => state)).toEqual(["created", "failed"]);
    await world.db.run(sql`DROP TRIGGER refuse`);
    expect(await world.post([record(before), large])).toMatchObject([
      { state: "created", earlier: true, target_id: before },
      { state: "created", earlier: false, target_id: id },
    ]);
    expect(Object.keys((await chatOf(id)).chat.history.messages)).toHaveLength(60);
  });

  test("in a dry run is not stored", async () => {
    const id = newId();
    const more = {
      kind: "chat_messages",
      id: `${id}#1`,
      chat_id: id,
      person_id: "owui-ada",
      messages: { c: { role: "user", content: "More", parentId: "a" } },
    };
    const results = await world.post([record(id), more], { dry_run: true });
    expect(results.map(({ state, notes }) => ({ state, notes }))).toEqual([
      { state: "created", notes: [] },
      { state: "created", notes: [] },
    ]);
    expect((await world.call(`/api/v1/chats/${id}`, { as: ada })).status).toBe(404);
  });
});

describe("a link", () => {
  const share = (id: string, chatId: string, more: Record<string, unknown> = {}) => ({
    kind: "chat_share",
    id,
    chat_id: chatId,
    title: "Shown",
    chat: { history: { currentId: "a", messages: messages() } },
    access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }],
    created_at: 1_600_000_200,
    ...more,
  });

  test("goes on under its old id, for those who could read it", async () => {
    const [id, link] = [newId(), newId()];
    const results = await world.post([record(id), share(link, id)]);
    expect(results[1]).toMatchObject({ state: "created", target_id: link });
    const reader = await world.person();
    const { status, body } = await world.call<ChatResponse>(`/api/v1/chats/share/${link}`, { as: reader });
    expect(status).toBe(200);
    expect(body.chat.messages.map(({ content }) => content)).toEqual(["Which ships?", "Two."]);
    expect((await chatOf(id)).share_id).toBe(link);
  });

  test("for nobody else is only its owner's", async () => {
    const [id, link] = [newId(), newId()];
    await world.post([record(id), share(link, id, { access_grants: [] })]);
    const reader = await world.person();
    expect((await world.call(`/api/v1/chats/share/${link}`, { as: reader })).status).toBe(404);
    expect((await world.call(`/api/v1/chats/share/${link}`, { as: ada })).status).toBe(200);
  });

  test("whose id is taken gets another one; without its chat it is left out", async () => {
    const [first, second, link] = [newId(), newId(), newId()];
    await world.post([record(first), record(second), share(link, first)]);
    await world.db.run(sql`DELETE FROM import_items WHERE kind = 'chat_share' AND source_id = ${link}`);
    const [result] = await world.post([share(link, second)]);
    expect(result).toMatchObject({ state: "changed" });
    expect((await chatOf(second)).share_id).toBe(result!.target_id);
    expect((await chatOf(first)).share_id).toBe(link);
    expect((await world.post([share(newId(), "unknown")]))[0]).toMatchObject({
      state: "left_out",
      notes: ["Its chat wasn't imported"],
    });
  });
});
