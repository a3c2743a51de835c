import type { ResultSet } from "@libsql/client";
import { sql, type SQL } from "drizzle-orm";
import { requireUser } from "../access.ts";
import type { EndNotice } from "../chat/conversations/write-answer.ts";
import type { Context } from "../context.ts";
import { runBatch } from "../db/batch.ts";
import { deliveryIdOf } from "./delivery-id.ts";
import { mayHaveWebhook } from "./may-have-webhook.ts";
import { chatResponseDelivery, wakeDeliveries } from "./outbox.ts";

/**
 * What the person's webhook is told of a finished answer in a stored chat: nothing while they look at a tab, unless they want
 * it always; and nothing where they may have none. Asks for their presence, so only for who has a webhook. Never fails.
 */
export async function noticeOfReply(ctx: Context, chatId: string): Promise<EndNotice | undefined> {
  const user = requireUser(ctx);
  if (!mayHaveWebhook(ctx)) return undefined;
  const wanted = await isWanted(ctx, user.id);
  return {
    statements: (ends, text) =>
      chatResponseDelivery(ctx, { userId: user.id, chatId, lastMessage: text, condition: sql`${ends} AND ${wanted}` }),
    stored: () => wakeDeliveries(ctx),
  };
}

/**
 * The same for an answer that a client keeps in a chat by itself, when it says that it is complete: what the chat shows, or the
 * message named. Once for each; what a run of the service has written was told with its end.
 * @param messageId as the client said it
 */
export async function tellOfCompleted(ctx: Context, chatId: string, messageId: string | undefined): Promise<void> {
  const user = requireUser(ctx);
  if (!mayHaveWebhook(ctx)) return;
  const [message] = await ctx.db.all<{ id: string; created_at: number }>(sql`
    SELECT m.id, m.created_at FROM webhook_endpoints e JOIN chats c ON c.user_id = e.user_id
      JOIN messages m ON m.chat_id = c.id AND m.id = coalesce(${messageId ?? null}, c.current_message_id)
    WHERE e.owner = ${user.id} AND e.is_enabled = 1 AND c.id = ${chatId}
      AND m.role = 'assistant' AND m.run_id IS NULL AND m.state = 'done' AND m.content <> ''`);
  if (!message) return;
  const now = Date.now();
  const wanted = await isWanted(ctx, user.id);
  const results = await runBatch(
    ctx.db,
    chatResponseDelivery(ctx, {
      id: await deliveryIdOf(`completed ${chatId} ${message.id}`, Math.min(message.created_at * 1000, now)),
      userId: user.id,
      chatId,
      lastMessage: sql`(SELECT content FROM messages WHERE chat_id = ${chatId} AND id = ${message.id})`,
      condition: wanted,
    }),
  );
  if ((results[0] as ResultSet).rowsAffected > 0) wakeDeliveries(ctx);
}

/** Whether the person wants to be told now, as the transaction finds it. */
async function isWanted(ctx: Context, userId: string): Promise<SQL> {
  return (await isPresent(ctx, userId))
    ? sql`EXISTS (SELECT 1 FROM webhook_endpoints WHERE owner = ${userId} AND is_always = 1)`
    : sql`TRUE`;
}

/** Who cannot be asked for is told: twice seen is better than missed. */
async function isPresent(ctx: Context, userId: string): Promise<boolean> {
  try {
    return await ctx.live.isPresent(userId);
  } catch (error) {
    ctx.log.warn("could not check whether the person is present", { user_id: userId, error });
    return false;
  }
}
