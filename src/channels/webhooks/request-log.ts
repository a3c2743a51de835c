import { sql, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/client.ts";
import type { AppError } from "../../errors.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { cutText } from "../../lib/cut-text.ts";
import { newId } from "../../lib/id.ts";
import { findChannel, requireChannels } from "../find-channel.ts";
import type { WebhookRequest } from "./schema.ts";
import { managedWebhook, noWebhook } from "./webhook-rows.ts";

/** Requests that are kept of each webhook. */
const maxRequests = 10;
/** Refusals of one kind are kept once in so many milliseconds: who sends too much is no burden to others by that. */
const apart = 1000;
const maxReason = 300;

interface Outcome {
  webhookId: string;
  format: string | null;
  /** A condition over `channel_webhooks` as `w`: the address is valid. */
  theOne: SQL;
  /** SQL over `channel_webhooks` as `w`: a status, a reason and the id of a message. */
  status: SQL;
  reason: SQL;
  messageId: SQL;
}

/** Statements that keep a request of a webhook with what came of it, and let the oldest go. */
export function requestStatements(db: Database, { webhookId, format, theOne, status, reason, messageId }: Outcome) {
  const now = Date.now();
  return [
    db.run(sql`INSERT INTO channel_webhook_requests (id, webhook_id, format, status, reason, message_id, created_at)
      SELECT ${newId()}, n.id, ${format}, n.status, n.reason, n.message_id, ${now} FROM
        (SELECT w.id, ${status} AS status, ${reason} AS reason, ${messageId} AS message_id FROM channel_webhooks w WHERE ${theOne}) n
      WHERE n.status = 200 OR NOT EXISTS (SELECT 1 FROM channel_webhook_requests r
        WHERE r.webhook_id = n.id AND r.status = n.status AND r.created_at > ${now - apart})`),
    db.run(sql`DELETE FROM channel_webhook_requests WHERE webhook_id = ${webhookId} AND id < (
      SELECT id FROM channel_webhook_requests WHERE webhook_id = ${webhookId} ORDER BY id DESC LIMIT 1 OFFSET ${maxRequests - 1})`),
  ];
}

/** The same for a request that could not be read. */
export function refusalStatements(
  db: Database,
  { webhookId, format, theOne }: Pick<Outcome, "webhookId" | "format" | "theOne">,
  error: AppError,
) {
  const reason = cutText(cleanText(error.message), maxReason);
  return requestStatements(db, {
    webhookId,
    format,
    theOne,
    status: sql`${error.status}`,
    reason: sql`${reason}`,
    messageId: sql`NULL`,
  });
}

/**
 * The latest requests to the webhook's address, newest first.
 * @throws AppError `not_found`, `forbidden` for people who do not manage the channel
 */
export async function listRequests(ctx: Context, channelId: string, webhookId: string): Promise<WebhookRequest[]> {
  const user = requireChannels(ctx);
  await findChannel(ctx, channelId, "manage");
  const [[known], rows] = await ctx.db.batch([
    ctx.db.all(sql`SELECT 1 FROM channel_webhooks w WHERE ${managedWebhook(user, channelId, webhookId)}`),
    ctx.db.all<WebhookRequest>(sql`
      SELECT r.format, r.status, r.reason, r.message_id, r.created_at FROM channel_webhook_requests r
      JOIN channel_webhooks w ON w.id = r.webhook_id
      WHERE ${managedWebhook(user, channelId, webhookId)} ORDER BY r.id DESC LIMIT ${maxRequests}`),
  ]);
  if (!known) throw noWebhook();
  return rows;
}
