import { and, eq, ne, sql, type SQL } from "drizzle-orm";
import { requirePermission, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { chats, messageItems, messages } from "../../stored-chats/tables.ts";
import { announce, announceList } from "./announce-chats.ts";
import { getChat } from "./chats.ts";
import { slicesBelow, subtree } from "./delete-chats.ts";
import { movedPlace } from "./moved-place.ts";
import type { KnownMessage } from "./plan-tree.ts";
import { readTree } from "./read-in-pages.ts";
import type { ChatResponse } from "./schema.ts";
import { deleteMessages } from "./write-messages.ts";

const noMessage = () => new AppError("not_found", "No such message in your chats");

/**
 * Replaces the text of a message. An answer keeps what the model wrote (`edited`), until its text is that again; calls of
 * tools stay beside their words.
 * @throws AppError `not_found`, also for a chat that is not the caller's; `conflict` while an answer is written into it,
 *   and when somebody else has changed it at the same time.
 */
export async function editMessage(
  ctx: Context,
  chatId: string,
  messageId: string,
  text: string,
): Promise<ChatResponse> {
  const user = requirePermission(ctx, "chat.edit");
  const content = cleanText(text);
  const [[message], tools] = await ctx.db.batch([
    ctx.db
      .select({ content: messages.content, state: messages.state })
      .from(messages)
      .where(and(...isMine(user, chatId, messageId))),
    ctx.db
      .select({ number: messageItems.number, data: messageItems.data })
      .from(messageItems)
      .where(
        and(
          eq(messageItems.chatId, chatId),
          eq(messageItems.messageId, messageId),
          eq(messageItems.kind, "tool"),
          sql`EXISTS (SELECT 1 FROM messages WHERE ${and(...isMine(user, chatId, messageId))})`,
        ),
      ),
  ]);
  if (!message) throw noMessage();
  if (message.state === "streaming")
    throw new AppError("conflict", "An answer is being written into this message: stop it first");
  const places = tools.flatMap(({ number, data: { at } }) =>
    typeof at === "number" ? [[number, movedPlace(message.content, content, at)]] : [],
  );
  // The places are those of the text that was read, so both change together or not at all.
  const isUnchanged = and(
    ...isMine(user, chatId, messageId),
    ne(messages.state, "streaming"),
    eq(messages.content, message.content),
  );
  const results = await runBatch(ctx.db, [
    ctx.db.run(sql`
      UPDATE message_items SET data = json_set(data, '$.at', place.value ->> 1)
      FROM json_each(${JSON.stringify(places)}) AS place
      WHERE message_items.number = place.value ->> 0 AND EXISTS (SELECT 1 FROM messages WHERE ${isUnchanged})`),
    ctx.db
      .update(messages)
      .set({ content, parts: null, extra: withOriginal(content, ctx.now()), updatedAt: ctx.now() })
      .where(isUnchanged),
  ]);
  if ((results.at(-1) as { rowsAffected: number }).rowsAffected === 0)
    throw new AppError("conflict", "The message has just been changed: read it again");
  announce(ctx, user.id, { chat_id: chatId, message_id: messageId, data: { type: "chat:message", data: { content } } });
  return getChat(ctx, chatId);
}

/** What is kept beside an answer whose text is changed: the model's text and when; nothing for the model's text itself. */
function withOriginal(content: string, now: number): SQL {
  const original = sql`coalesce(${messages.extra} ->> '$.edited.original', ${messages.content})`;
  return sql`CASE WHEN ${messages.role} <> 'assistant' THEN ${messages.extra}
    WHEN ${original} = ${content} THEN json_remove(${messages.extra}, '$.edited')
    ELSE json_set(${messages.extra}, '$.edited', json_object('original', ${original}, 'at', ${now})) END`;
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
