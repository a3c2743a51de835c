import { and, eq, ne, sql } from "drizzle-orm";
import { requirePermission, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { announce, announceList } from "./announce-chats.ts";
import { getChat } from "./chats.ts";
import { slicesBelow, subtree } from "./delete-chats.ts";
import type { KnownMessage } from "./plan-tree.ts";
import { readTree } from "./read-in-pages.ts";
import { readContent } from "./read-stored-message.ts";
import type { ChatResponse } from "./schema.ts";
import { chats, messages } from "./tables.ts";
import { deleteMessages } from "./write-messages.ts";

const noMessage = () => new AppError("not_found", "No such message in your chats");

/**
 * Replaces the text of a message.
 * @throws AppError `not_found`, also for a chat that is not the caller's; `conflict` while an answer is written into it.
 */
export async function editMessage(
  ctx: Context,
  chatId: string,
  messageId: string,
  text: string,
): Promise<ChatResponse> {
  const user = requirePermission(ctx, "chat.edit");
  const { content } = readContent(text);
  const edited = await ctx.db
    .update(messages)
    .set({ content: cleanText(content ?? ""), parts: null, updatedAt: ctx.now() })
    .where(and(...isMine(user, chatId, messageId), ne(messages.state, "streaming")))
    .returning({ id: messages.id });
  if (edited.length === 0) {
    const [message] = await ctx.db
      .select({ id: messages.id })
      .from(messages)
      .where(and(...isMine(user, chatId, messageId)));
    if (!message) throw noMessage();
    throw new AppError("conflict", "An answer is being written into this message: stop it first");
  }
  announce(ctx, user.id, { chat_id: chatId, message_id: messageId, data: { type: "chat:message", data: { content } } });
  return getChat(ctx, chatId);
}

/**
 * Deletes a message with everything below it. If it was on the current branch, the newest branch of its siblings
 * becomes current, or the branch ends at its parent.
 * @throws AppError `not_found`, also for a chat that is not the caller's.
 */
export async function deleteMessage(ctx: Context, chatId: string, messageId: string): Promise<ChatResponse> {
  const user = requirePermission(ctx, "chat.delete");
  const chat = { chatId, userId: user.id };
  const tree = await readTree(ctx.db, chat);
  const target = tree.find((message) => message.id === messageId);
  if (!target) throw noMessage();
  const showOther = ctx.db
    .update(chats)
    .set({ currentMessageId: nextShown(tree, target), updatedAt: ctx.now() })
    .where(
      and(
        eq(chats.id, chatId),
        eq(chats.userId, user.id),
        sql`NOT EXISTS (SELECT 1 FROM messages m WHERE m.chat_id = ${chatId} AND m.id = ${chats.currentMessageId})`,
      ),
    );
  // After each of many transactions there is a tree, and the same request again deletes what is left.
  for (const slice of slicesBelow(tree, messageId)) {
    await runBatch(ctx.db, [deleteMessages(ctx.db, chat, slice), showOther]);
  }
  // Also what others have added since.
  await runBatch(ctx.db, [
    ctx.db.run(sql`
      WITH RECURSIVE below(id) AS (
        SELECT ${messageId}
        UNION SELECT m.id FROM below CROSS JOIN messages m ON m.chat_id = ${chatId} AND m.parent_id = below.id
      )
      DELETE FROM messages WHERE chat_id = ${chatId} AND user_id = ${user.id} AND id IN (SELECT id FROM below)`),
    showOther,
  ]);
  const gone = new Set(subtree(tree, messageId).map(({ id }) => id));
  for (const run of await ctx.live.listRuns(user.id, chatId)) {
    if (gone.has(run.messageId)) await ctx.live.stopRun(user.id, run.runId);
  }
  announceList(ctx, user.id, chatId);
  return getChat(ctx, chatId);
}

function nextShown(tree: readonly KnownMessage[], gone: KnownMessage): string | null {
  const sibling = tree.findLast((message) => message.parentId === gone.parentId && message.id !== gone.id);
  let at = sibling?.id ?? gone.parentId;
  if (sibling) {
    const newest = new Map(tree.map((message) => [message.parentId, message.id]));
    for (let next = newest.get(at); next !== undefined; next = newest.get(next)) at = next;
  }
  return at;
}

function isMine(user: User, chatId: string, messageId: string) {
  return [eq(messages.chatId, chatId), eq(messages.userId, user.id), eq(messages.id, messageId)];
}
