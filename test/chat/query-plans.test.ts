import type { Client } from "@libsql/client";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChat, getChat } from "../../src/chat/conversations/chats.ts";
import { deleteAllChats, deleteChat } from "../../src/chat/conversations/delete-chats.ts";
import { deleteMessage } from "../../src/chat/conversations/edit-chat-message.ts";
import { importChats } from "../../src/chat/conversations/import-chats.ts";
import { listChats } from "../../src/chat/conversations/list-chats.ts";
import { saveChat } from "../../src/chat/conversations/save-chat.ts";
import { startAnswer } from "../../src/chat/conversations/start-answer.ts";
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
import { contextFor } from "./conversations/context-for.ts";

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
    const large: Context = { ...ctx, db: createDatabase(timed) };
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
