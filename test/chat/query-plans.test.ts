import type { Client } from "@libsql/client";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChat, getChat } from "../../src/chat/conversations/chats.ts";
import { deleteAllChats, deleteChat } from "../../src/chat/conversations/delete-chats.ts";
import { deleteMessage } from "../../src/chat/conversations/edit-chat-message.ts";
import { importChats } from "../../src/chat/conversations/import-chats.ts";
import { listChats } from "../../src/chat/conversations/list-chats.ts";
import { saveChat } from "../../src/chat/conversations/save-chat.ts";
import { searchChats } from "../../src/chat/conversations/search-chats.ts";
import { startAnswer } from "../../src/chat/conversations/start-answer.ts";
import { addTag, listTags, removeTags } from "../../src/chat/conversations/tags.ts";
import { postEvent } from "../../src/chat/events/post-event.ts";
import { deleteFolder } from "../../src/chat/folders/delete-folder.ts";
import { listFolderChats, moveChat } from "../../src/chat/folders/folder-chats.ts";
import { changeFolder, createFolder, moveFolder } from "../../src/chat/folders/folders.ts";
import { listSharedFolders } from "../../src/chat/folders/list-folders.ts";
import { loadBranch } from "../../src/chat/functions/load-branch.ts";
import { shareChat } from "../../src/chat/sharing/share-chat.ts";
import type { Context } from "../../src/context.ts";
import { createDatabase } from "../../src/db/client.ts";
import { newId } from "../../src/lib/id.ts";
import { maxWriteMs } from "../../workers/database/time-writes.ts";
import { findSlow, openSqld, planSteps } from "../query-plan.ts";
import { createWorld, type World } from "../world.ts";
import { contextFor, contextOver } from "./conversations/context-for.ts";

let world: World;
let sqld: Awaited<ReturnType<typeof openSqld>>;
let ctx: Context;
beforeAll(async () => {
  sqld = await openSqld();
  world = await createWorld({ services: { db: createDatabase(sqld.client) } });
  ctx = contextFor(world, await world.person());
});
afterAll(() => world.close());

/** Messages, each below the one before. */
function chain(length: number, content = "Hello") {
  const messages = Array.from({ length }, (_, at) => {
    const parentId = at === 0 ? null : `m${at - 1}`;
    return [`m${at}`, { parentId, role: at % 2 === 0 ? "user" : "assistant", content: `${content} ${at}` }] as const;
  });
  return { history: { currentId: `m${length - 1}`, messages: Object.fromEntries(messages) } };
}

/** What the work asked for each row again; a new statement of chats belongs into one of these lines. */
const works: Record<string, (id: string) => Promise<unknown>> = {
  "reading a chat": (id) => getChat(ctx, id),
  "creating one": () => createChat(ctx, { chat: chain(3) }),
  "importing some": () => importChats(ctx, [{ chat: chain(3) }, { chat: chain(2) }]),
  "saving it again": (id) => saveChat(ctx, id, chain(4, "Changed")),
  "moving a message": (id) => saveChat(ctx, id, { history: { messages: { m2: { parentId: "m0" } } } }),
  "starting an answer": (id) =>
    startAnswer(ctx, {
      chatId: id,
      messageId: "answer",
      runId: newId(),
      model: "model",
      question: { id: "question", content: "?" },
      parentId: "m2",
      mode: "start",
    }),
  "loading a branch": (id) => loadBranch(ctx, id, "m2"),
  "sharing it": (id) => shareChat(ctx, id),
  "moving it into a folder": async (id) => moveChat(ctx, id, (await createFolder(ctx, { name: newId() })).id),
  "moving and changing a folder": async () => {
    const { id } = await createFolder(ctx, { name: newId() });
    await moveFolder(ctx, id, (await createFolder(ctx, { name: newId() })).id);
    await changeFolder(ctx, id, { name: newId() });
  },
  "listing folders and what is in them": async () => {
    const { id } = await createFolder(ctx, { name: newId() });
    await createChat(ctx, { chat: chain(2), folderId: id });
    await listSharedFolders(ctx);
    await listFolderChats(ctx, id, {});
    await listChats(ctx, { which: "open", page: 1 });
  },
  "changing tags": async (id) => {
    await addTag(ctx, id, "sea");
    await postEvent(ctx, id, "m0", { type: "chat:tags", data: ["ships", "sea"] });
    await removeTags(ctx, id, "sea");
  },
  "listing by tags": async (id) => {
    await addTag(ctx, id, "sea");
    await listTags(ctx);
    await listChats(ctx, { which: "open", page: 1, tag: "sea" });
    await searchChats(ctx, "tag:sea hello", 1);
    await searchChats(ctx, "tag:sea", 1);
  },
  "deleting a folder with its chats": async () =>
    deleteFolder(ctx, (await createFolder(ctx, { name: newId() })).id, true),
  "deleting a message with all below": (id) => deleteMessage(ctx, id, "m1"),
  "deleting a chat": (id) => deleteChat(ctx, id),
  "deleting all": () => deleteAllChats(ctx),
};

test.each(Object.keys(works))("%s reads no list, table or tree once for each row of another", async (name) => {
  const { id } = await createChat(ctx, { chat: chain(3) });
  sqld.asked.length = 0;
  await works[name]!(id);
  const asked = [...sqld.asked];
  expect(asked.length).toBeGreaterThan(0);
  expect(await findSlow(sqld.client, asked)).toEqual([]);
});

/** What concerns one chat, and must not cost more for a person who has many. */
const ofOneChat = Object.keys(works).filter((name) => !/listing|deleting all|with its chats/.test(name));

test.each(ofOneChat)("%s reads no other chat of the person", async (name) => {
  const { id } = await createChat(ctx, { chat: chain(3) });
  sqld.asked.length = 0;
  await works[name]!(id);
  const isAboutOthers = /\bchats USING .*INDEX chats_user_\w+ \(user_id=\?/;
  expect((await planSteps(sqld.client, [...sqld.asked])).filter((step) => isAboutOthers.test(step))).toEqual([]);
});

test.each([
  [
    "a list for each message",
    sql`UPDATE messages SET role = n.role FROM (SELECT value ->> 0 AS id, value ->> 1 AS role
    FROM json_each(${"[]"})) n WHERE messages.chat_id = ${"c"} AND messages.id = n.id`,
  ],
  [
    "a tree for each message",
    sql`DELETE FROM messages WHERE chat_id = ${"c"} AND EXISTS (WITH RECURSIVE up(id) AS (
    SELECT messages.parent_id UNION SELECT m.parent_id FROM up JOIN messages m ON m.chat_id = ${"c"} AND m.id = up.id)
    SELECT 1 FROM up WHERE id = ${"m"})`,
  ],
  [
    "all messages for each of a tree",
    sql`DELETE FROM messages WHERE chat_id = ${"c"} AND id IN (WITH RECURSIVE below(id) AS (
    SELECT ${"m"} UNION SELECT m.id FROM below JOIN messages m ON m.chat_id = ${"c"} AND m.parent_id = below.id) SELECT id FROM below)`,
  ],
])("a statement that reads %s is found", async (_, statement) => {
  sqld.asked.length = 0;
  await ctx.db.run(statement);
  expect(await findSlow(sqld.client, [...sqld.asked])).not.toEqual([]);
});

test("20,000 chats of a person with tags are listed and searched by their tags through the index", async () => {
  const { client } = sqld;
  const others = await world.person();
  const person = await world.person();
  const many = contextFor(world, person);
  for (const { id: userId } of [others, person]) {
    await client.execute({
      sql: `WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 20000)
        INSERT INTO chats (id, user_id, organization_id, title, models, params, meta, variables, extra, created_at, updated_at)
        SELECT ?1 || '-' || at, ?1, '00000000-0000-7000-8000-000000000001', 'Chat ' || at, '[]', '{}', '{}', '{}', '{}', at, at FROM n`,
      args: [userId],
    });
    await client.execute({
      sql: `INSERT INTO chat_tags (chat_id, name, user_id)
        SELECT chats.id, t.value, user_id FROM chats, json_each(json_array('all', 'tag ' || (updated_at % 200), 'rare ' || (updated_at / 10000))) t WHERE user_id = ?`,
      args: [userId],
    });
  }
  sqld.asked.length = 0;
  const begin = performance.now();
  const tags = await listTags(many);
  const all = await listChats(many, { which: "open", page: 1, tag: "all" });
  const few = await listChats(many, { which: "open", page: 1, tag: "rare 2" });
  const found = await searchChats(many, "tag:tag_7 chat", 2);
  const took = performance.now() - begin;
  expect([tags.length, all.chats.length, few.chats.length, found.length]).toEqual([204, 60, 1, 40]);
  expect(all.chats[0]).toMatchObject({ title: "Chat 20000", tags: ["all", "rare 2", "tag 0"] });
  const steps = await planSteps(client, [...sqld.asked]);
  expect(steps.filter((step) => /SCAN (?:t|chat_tags)\b(?! USING COVERING)/.test(step))).toEqual([]);
  expect(steps.filter((step) => /INDEX chat_tags_user \(user_id=\?/.test(step)).length).toBeGreaterThanOrEqual(4);
  // About 0.1 s together; a list that reads all chats once for each of them takes minutes.
  expect(took).toBeLessThan(5000);
});

test(
  "50,000 messages are saved, saved again, moved and deleted, with every write far within its time",
  { timeout: 300_000 },
  async () => {
    let longestMs = 0;
    const timed = new Proxy(sqld.client, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return async (...args: unknown[]): Promise<unknown> => {
          const start = performance.now();
          const result: unknown = await value.apply(target, args);
          if (name === "batch" && args[1] === "write") longestMs = Math.max(longestMs, performance.now() - start);
          return result;
        };
      },
    }) as Client;
    const large = contextOver(ctx, createDatabase(timed));
    const count = 50_000;
    const { id } = await createChat(large, { chat: chain(count) });
    const saved = await saveChat(large, id, chain(count, "Changed"));
    expect(Object.keys(saved.chat.history.messages)).toHaveLength(count);
    expect(saved.chat.messages.at(-1)?.content).toBe(`Changed ${count - 1}`);
    await expect(saveChat(large, id, { history: { messages: { more: { parentId: "m0" } } } })).rejects.toMatchObject({
      code: "validation_failed",
    });
    await saveChat(large, id, { history: { messages: { [`m${count - 1}`]: { parentId: "m0" } } } });
    const left = await deleteMessage(large, id, "m1");
    expect(Object.keys(left.chat.history.messages)).toEqual(["m0", `m${count - 1}`]);
    expect(longestMs).toBeLessThan(maxWriteMs);
  },
);
