import { and, asc, eq, sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { announceList } from "./announce-chats.ts";
import { tagId } from "./build-chat.ts";
import type { Tag } from "./schema.ts";
import { chats, chatTags } from "./tables.ts";

/** All tags of the caller's chats, each once. */
export async function listTags(ctx: Context): Promise<Tag[]> {
  const user = requireUser(ctx);
  const rows = await ctx.db
    .selectDistinct({ name: chatTags.name })
    .from(chatTags)
    .innerJoin(chats, eq(chats.id, chatTags.chatId))
    .where(eq(chats.userId, user.id))
    .orderBy(asc(chatTags.name));
  return rows.map(({ name }) => toTag(name, user.id));
}

/** @throws AppError `not_found` for a chat that is unknown or not the caller's. */
export async function listChatTags(ctx: Context, chatId: string): Promise<Tag[]> {
  const user = requireUser(ctx);
  const [owned, rows] = await ctx.db.batch([
    ctx.db.select({ id: chats.id }).from(chats).where(mine(user.id, chatId)),
    ctx.db
      .select({ name: chatTags.name })
      .from(chatTags)
      .where(eq(chatTags.chatId, chatId))
      .orderBy(asc(chatTags.name)),
  ]);
  if (owned.length === 0) throw new AppError("not_found", "No such chat");
  return rows.map(({ name }) => toTag(name, user.id));
}

/** @returns all tags of the chat. @throws AppError `not_found`. */
export async function addTag(ctx: Context, chatId: string, name: string): Promise<Tag[]> {
  const user = requireUser(ctx);
  await ctx.db.run(
    sql`INSERT INTO chat_tags (chat_id, name) SELECT id, ${cleanText(name)} FROM chats WHERE id = ${chatId} AND user_id = ${user.id} ON CONFLICT DO NOTHING`,
  );
  announceList(ctx, user.id, chatId);
  return listChatTags(ctx, chatId);
}

/**
 * Removes one tag from the chat, or all.
 * @returns the remaining tags.
 * @throws AppError `not_found`.
 */
export async function removeTags(ctx: Context, chatId: string, name?: string): Promise<Tag[]> {
  const user = requireUser(ctx);
  const ownedChat = sql`EXISTS (SELECT 1 FROM chats WHERE id = ${chatId} AND user_id = ${user.id})`;
  await ctx.db
    .delete(chatTags)
    .where(and(eq(chatTags.chatId, chatId), name === undefined ? undefined : eq(chatTags.name, name), ownedChat));
  announceList(ctx, user.id, chatId);
  return listChatTags(ctx, chatId);
}

function mine(userId: string, chatId: string) {
  return and(eq(chats.id, chatId), eq(chats.userId, userId));
}

function toTag(name: string, userId: string): Tag {
  return { id: tagId(name), name, user_id: userId, meta: null };
}
