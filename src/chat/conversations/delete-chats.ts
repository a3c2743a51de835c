import { and, eq, sql, type SQL } from "drizzle-orm";
import { requirePermission } from "../../access.ts";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/client.ts";
import { AppError } from "../../errors.ts";
import { chats } from "../../stored-chats/tables.ts";
import { announceList, stopRunsOf } from "./announce-chats.ts";
import { readTree, type TreeRow } from "./read-in-pages.ts";
import { deleteMessages, inSlices, maxSlice, messageCost, type Owner } from "./write-messages.ts";

/** Chats that are looked at together. */
export const maxChats = 200;

/** @throws AppError `not_found` for a chat that is unknown or not the caller's. */
export async function deleteChat(ctx: Context, id: string): Promise<void> {
  const user = requirePermission(ctx, "chat.delete");
  if (!(await removeChat(ctx.db, { chatId: id, userId: user.id }))) throw new AppError("not_found", "No such chat");
  stopRunsOf(ctx, user.id, id);
  announceList(ctx, user.id, id);
}

/** Deletes all chats of the caller. */
export async function deleteAllChats(ctx: Context): Promise<void> {
  const user = requirePermission(ctx, "chat.delete");
  await removeChats(ctx.db, user.id);
  stopRunsOf(ctx, user.id);
  announceList(ctx, user.id);
}

/** Deletes a chat, a large one from its leaves up. @returns whether there was one */
export async function removeChat(db: Database, chat: Owner): Promise<boolean> {
  const remove = (condition?: SQL) =>
    db
      .delete(chats)
      .where(and(eq(chats.id, chat.chatId), eq(chats.userId, chat.userId), condition))
      .returning({ id: chats.id });
  if ((await remove(sql`${sizeOf(sql`${chat.chatId}`)} <= ${maxSlice}`)).length > 0) return true;
  for (const slice of slicesBelow(await readTree(db, chat), null)) await deleteMessages(db, chat, slice);
  return (await remove()).length > 0;
}

/** Deletes the chats of a person. */
export async function removeChats(db: Database, userId: string): Promise<void> {
  for (;;) {
    const removed = await removeSomeChats(db, sql`FROM chats c WHERE c.user_id = ${userId}`);
    if (removed.length < maxChats) return;
  }
}

/**
 * Deletes some of the chats that a query finds, as many together as one transaction may write.
 * @param which the rest of a SELECT, with `chats` as `c`
 * @param still must hold for the row of `chats` when it goes
 * @returns what was found: fewer than 200 are all
 */
export async function removeSomeChats(db: Database, which: SQL, still: SQL = sql`TRUE`): Promise<Owner[]> {
  const found = await db.all<Owner & { size: number }>(
    sql`SELECT c.id AS chatId, c.user_id AS userId, ${sizeOf(sql`c.id`)} AS size ${which} LIMIT ${maxChats}`,
  );
  for (const slice of inSlices(found, ({ size }) => size + messageCost)) {
    const [first] = slice;
    if (first!.size > maxSlice) await removeChat(db, first!);
    else
      await db.run(sql`DELETE FROM chats WHERE ${still}
        AND id IN (SELECT value FROM json_each(${JSON.stringify(slice.map((chat) => chat.chatId))}))`);
  }
  return found;
}

/** What deleting a chat costs, as far as it matters: beyond a slice nothing more is counted. */
function sizeOf(chatId: SQL): SQL {
  const most = Math.ceil(maxSlice / messageCost) + 1;
  return sql`(SELECT coalesce(sum(${messageCost} + octet_length(content)), 0) FROM (
    SELECT content FROM messages WHERE chat_id = ${chatId} LIMIT ${most}))`;
}

/**
 * The messages below one, or all, in slices to delete one after the other: children first, so that each leaves a tree.
 * The last slice is left out, for the transaction that ends the work.
 */
export function slicesBelow(tree: readonly TreeRow[], id: string | null): string[][] {
  const below = subtree(tree, id).reverse();
  const slices = inSlices(below, ({ size }) => messageCost + size);
  return slices.slice(0, -1).map((slice) => slice.map((message) => message.id));
}

/** A message and all below it, or all messages: parents before children. */
export function subtree(tree: readonly TreeRow[], id: string | null): TreeRow[] {
  const children = Map.groupBy(tree, ({ parentId }) => parentId);
  const found = id === null ? [...(children.get(null) ?? [])] : tree.filter((message) => message.id === id);
  for (const message of found) for (const child of children.get(message.id) ?? []) found.push(child);
  return found;
}
