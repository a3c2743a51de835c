import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { toldChannel } from "../channel-row.ts";
import { findChannel, requireChannels } from "../find-channel.ts";
import { announce, type Announced } from "../messages/announce-messages.ts";
import { messageView } from "../messages/message-view.ts";
import { selectMessages } from "../messages/select-messages.ts";
import { selectTold } from "../select-managed.ts";
import { detailOf, managedWebhook, noWebhook, webhookChangeOf } from "./webhook-rows.ts";

/** So many of the channel's latest messages are looked through for posts that open tabs may be showing. */
const shownMessages = 50;

/**
 * The address is dead from this moment on. What was posted stays; its faces are gone, so it stands under a label, in open tabs
 * too.
 * @throws AppError `not_found`, `forbidden` for those who do not manage the channel
 */
export async function deleteWebhook(ctx: Context, channelId: string, webhookId: string): Promise<void> {
  const user = requireChannels(ctx);
  const { organizationId } = await findChannel(ctx, channelId, "manage");
  const theOne = managedWebhook(user, channelId, webhookId);
  const gone = sql`NOT EXISTS (SELECT 1 FROM channel_webhooks w WHERE w.id = ${webhookId})`;
  const latest = sql`m.channel_id = ${channelId} AND m.webhook_id = ${webhookId} AND m.deleted_at IS NULL
    AND m.seq > (SELECT head FROM channels WHERE id = ${channelId}) - ${shownMessages} AND ${gone}`;
  const [, { rowsAffected }, , messages, channels] = await ctx.db.batch([
    auditRowIf(
      ctx,
      webhookChangeOf("deleted", webhookId, organizationId, detailOf(webhookId)),
      sql`EXISTS (SELECT 1 FROM channel_webhooks w WHERE ${theOne})`,
    ),
    ctx.db.run(sql`DELETE FROM channel_webhooks AS w WHERE ${theOne}`),
    // Tabs take what is newer than what they have.
    ctx.db.run(sql`UPDATE channel_messages AS m SET updated_at = max(m.updated_at + 1, ${Date.now()}) WHERE ${latest}`),
    selectMessages(ctx.db, null, sql`${latest} ORDER BY m.seq`),
    selectTold(ctx.db, channelId),
  ]);
  if (rowsAffected === 0) throw noWebhook();
  const [channel] = channels;
  const news = messages.map((row): Announced => ({ what: "updated", message: messageView(row, null) }));
  if (channel) announce(ctx, toldChannel(channel), news);
}
