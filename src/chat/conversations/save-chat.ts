import { and, asc, eq, sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import { cleanJson, cleanText } from "../../lib/clean-text.ts";
import { firstWords, isUntitled } from "../../shared/chat-title.ts";
import { chats, messages } from "../../stored-chats/tables.ts";
import { findFolderForChat, readableFolderId } from "../folders/folder-of-chat.ts";
import { announceList } from "./announce-chats.ts";
import { extraOf, getChat, refuseBroken } from "./chats.ts";
import { planTree } from "./plan-tree.ts";
import { readHistory } from "./read-history.ts";
import { inPages, selectTree } from "./read-in-pages.ts";
import { requireRoom, requireStoring } from "./require-storing.ts";
import type { ChatDocument, ChatResponse } from "./schema.ts";
import {
  changedMessages,
  insertMessages,
  movedMessages,
  moveMessages,
  newMessages,
  type Owner,
  shallowMerge,
  updateMessages,
} from "./write-messages.ts";

/**
 * Merges a chat document, or any part of one, into the stored chat. Missing keys stay; messages are changed field by
 * field, new ones are added, none is removed; what a run has written stays (see `updateMessages`).
 * @throws AppError `not_found`; `validation_failed` for parents that do not exist or form a loop, and for more messages than
 *   a chat may have, with nothing changed; `conflict` if a parent was deleted in the meantime.
 * @param folderId the new folder of the chat, null for none; undefined keeps the current one
 */
export async function saveChat(
  ctx: Context,
  id: string,
  document: ChatDocument,
  folderId?: string | null,
): Promise<ChatResponse> {
  const user = requireUser(ctx);
  if (folderId) await findFolderForChat(ctx, folderId);
  const owner = { chatId: id, userId: user.id };
  const { chat, question, known } = await readChat(ctx, owner);
  if (!chat) throw new AppError("not_found", "No such chat");
  const changes = readHistory(document);
  const plan = planTree(known, changes);
  refuseBroken(plan, document, known);
  if (plan.inserts.length > 0) {
    requireStoring(ctx);
    requireRoom(ctx, known.length + plan.inserts.length);
  }

  const now = ctx.now();
  const title = newTitle(document, chat.title, firstWords(question?.text ?? ""));
  const extra = extraOf(document);
  // A flat list is the branch shown. A first message without a word about what is shown is shown itself.
  const shown = document.history ? document.history.currentId : changes.at(-1)?.id;
  const current =
    shown ?? (plan.inserts.length > 0 ? sql`coalesce(${chats.currentMessageId}, ${plan.newestLeaf})` : undefined);
  const row = {
    ...(title === undefined ? {} : { title, titleChosen: true }),
    ...(document.models ? { models: document.models } : {}),
    ...(document.params ? { params: document.params } : {}),
    ...(Object.keys(extra).length > 0 ? { extra: shallowMerge(sql`${chats.extra}`, sql`${cleanJson(extra)}`) } : {}),
    ...(current === undefined ? {} : { currentMessageId: current }),
    // Showing another branch or a new name does not make a chat recent.
    ...(changes.length > 0 ? { updatedAt: now } : {}),
    ...(folderId === undefined ? {} : { folderId: folderId && readableFolderId(user, folderId) }),
  };
  const inserts = newMessages(id, plan.inserts).map((list) => [insertMessages(ctx.db, user.id, [list], now)]);
  // New ones too: another save may have added them first.
  const updates = changedMessages(changes).map((list) => [updateMessages(ctx.db, owner, list, now)]);
  const moves = movedMessages(plan.moves).map((list) => moveMessages(ctx.db, owner, list));
  const end = ctx.db
    .update(chats)
    .set({ folderId: sql`${chats.folderId}`, ...row })
    .where(and(eq(chats.id, id), eq(chats.userId, user.id)));
  const steps = [...inserts, ...updates, ...moves];
  const isSmall = Math.max(inserts.length, updates.length, moves.length) <= 1;
  // After any of many transactions the tree is sound: parents come first, and each move is one from a tree to a tree. The same
  // save again does what is missing, because it adds by id, changes field by field, and moves what is not in its place yet.
  for (const batch of isSmall ? [[...steps.flat(), end]] : [...steps, [end]]) await runBatch(ctx.db, batch);
  if (title !== undefined || plan.inserts.length > 0 || folderId !== undefined) announceList(ctx, user.id, id);
  return getChat(ctx, id);
}

/** The chat with its tree and its first question: one round trip, if it is not very large. */
async function readChat(ctx: Context, owner: Owner) {
  const { chatId, userId } = owner;
  const found: { chat?: { title: string }; question?: { text: string } } = {};
  const known = await inPages(async (after, rows) => {
    if (after > 0) return selectTree(ctx.db, owner, after, rows);
    const [[chat], page, [question]] = await ctx.db.batch([
      ctx.db
        .select({ title: chats.title })
        .from(chats)
        .where(and(eq(chats.id, chatId), eq(chats.userId, userId))),
      selectTree(ctx.db, owner, after, rows),
      ctx.db
        .select({ text: sql<string>`substr(${messages.content}, 1, 1000)` })
        .from(messages)
        .where(and(eq(messages.chatId, chatId), eq(messages.userId, userId), eq(messages.role, "user")))
        .orderBy(asc(messages.number))
        .limit(1),
    ]);
    Object.assign(found, { chat, question });
    return page;
  });
  return { ...found, known };
}

/**
 * The title that the person chose, if the document has one. A document with messages may be an old copy: a title that
 * was replaced by a generated one does not count.
 */
function newTitle(document: ChatDocument, stored: string, beforeNaming: string): string | undefined {
  const title = cleanText(document.title ?? "").trim();
  if (isUntitled(title) || title === stored) return undefined;
  const isWhole = document.history?.messages !== undefined || document.messages !== undefined;
  return isWhole && title === beforeNaming ? undefined : title;
}
