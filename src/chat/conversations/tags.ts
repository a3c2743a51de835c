import { and, eq, sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { chats } from "../../stored-chats/tables.ts";
import { announce, announceList } from "./announce-chats.ts";
import { tagId } from "./build-chat.ts";
import type { CountedTag, Tag } from "./schema.ts";
import { addTags, isTag, maxTags, removeTagsWhere, selectTags } from "./tag-statements.ts";

/** All tags of the caller's chats, each once, with the number of its chats. */
export async function listTags(ctx: Context): Promise<CountedTag[]> {
  const user = requireUser(ctx);
  const rows = await ctx.db.all<{ name: string; count: number }>(
    sql`SELECT min(name) AS name, count(*) AS count FROM chat_tags WHERE user_id = ${user.id}
      GROUP BY name COLLATE NOCASE ORDER BY name COLLATE NOCASE`,
  );
  return rows.map(({ name, count }) => ({ ...toTag(name, user.id), count }));
}

/** @throws AppError `not_found` for a chat that is unknown or not the caller's. */
export async function listChatTags(ctx: Context, chatId: string): Promise<Tag[]> {
  const { id: userId } = requireUser(ctx);
  const [owned, rows] = await ctx.db.batch([selectOwned(ctx, chatId), selectTags(ctx.db, chatId)]);
  if (owned.length === 0) throw noChat();
  return rows.map(({ name }) => toTag(name, userId));
}

/**
 * Adds a tag. One that the caller has already, in other letters, is written as it is.
 * @returns all tags of the chat.
 * @throws AppError `not_found`; `limit_reached` for a chat with as many tags as it may have
 */
export async function addTag(ctx: Context, chatId: string, name: string): Promise<Tag[]> {
  const { id: userId } = requireUser(ctx);
  const [owned, added, rows] = await ctx.db.batch([
    selectOwned(ctx, chatId),
    addTags(ctx.db, { chatId, userId }, [cleanText(name)]),
    selectTags(ctx.db, chatId),
  ]);
  if (owned.length === 0) throw noChat();
  if (added.length > 0) announceTags(ctx, userId, chatId, rows);
  else if (rows.length >= maxTags && !rows.some((row) => tagId(row.name) === tagId(name)))
    throw new AppError("limit_reached", `A chat can have at most ${maxTags} tags. Remove one first`);
  return rows.map((row) => toTag(row.name, userId));
}

/**
 * Removes one tag from the chat, or all.
 * @returns the remaining tags.
 * @throws AppError `not_found`.
 */
export async function removeTags(ctx: Context, chatId: string, name?: string): Promise<Tag[]> {
  const { id: userId } = requireUser(ctx);
  const [owned, removed, rows] = await ctx.db.batch([
    selectOwned(ctx, chatId),
    removeTagsWhere(ctx.db, { chatId, userId }, name === undefined ? sql`TRUE` : isTag(cleanText(name))),
    selectTags(ctx.db, chatId),
  ]);
  if (owned.length === 0) throw noChat();
  if (removed.length > 0) announceTags(ctx, userId, chatId, rows);
  return rows.map((row) => toTag(row.name, userId));
}

/** Tells the person's tabs which tags the chat has now. */
export function announceTags(ctx: Context, userId: string, chatId: string, rows: readonly { name: string }[]): void {
  announce(ctx, userId, { chat_id: chatId, data: { type: "chat:tags", data: rows.map(({ name }) => name) } });
  announceList(ctx, userId, chatId);
}

/** Statement: the chat, if it is the caller's. */
function selectOwned(ctx: Context, chatId: string) {
  return ctx.db
    .select({ id: chats.id })
    .from(chats)
    .where(and(eq(chats.id, chatId), eq(chats.userId, requireUser(ctx).id)));
}

const noChat = () => new AppError("not_found", "No such chat");

function toTag(name: string, userId: string): Tag {
  return { id: tagId(name), name, user_id: userId, meta: null };
}
