import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { randomToken } from "../../lib/random-token.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { findChannel, requireChannels } from "../find-channel.ts";
import type { WebhookView } from "./schema.ts";
import {
  detailOf,
  managedWebhook,
  noWebhook,
  selectWebhooks,
  storedToken,
  toWebhookView,
  webhookChangeOf,
} from "./webhook-rows.ts";

/**
 * The channel's webhooks, oldest first, with their addresses.
 * @throws AppError `not_found`, `forbidden` for those who do not manage the channel
 */
export async function listWebhooks(ctx: Context, channelId: string): Promise<WebhookView[]> {
  await findChannel(ctx, channelId, "manage");
  const rows = await selectWebhooks(ctx, sql`w.channel_id = ${channelId}`);
  return Promise.all(rows.map((row) => toWebhookView(ctx, row)));
}

/**
 * A new token, and with it a new address: the one before posts nothing from this moment on.
 * @throws AppError `not_found`, `forbidden` for those who do not manage the channel
 */
export async function rotateToken(ctx: Context, channelId: string, webhookId: string): Promise<WebhookView> {
  const user = requireChannels(ctx);
  const { organizationId } = await findChannel(ctx, channelId, "manage");
  const token = await storedToken(ctx, randomToken());
  const [, , [row]] = await ctx.db.batch([
    ctx.db
      .run(sql`UPDATE channel_webhooks AS w SET token_hash = ${token.tokenHash}, sealed_token = ${token.sealedToken},
      updated_at = ${Date.now()} WHERE ${managedWebhook(user, channelId, webhookId)}`),
    auditRowIf(ctx, webhookChangeOf("token_rotated", webhookId, organizationId, detailOf(webhookId))),
    selectWebhooks(ctx, managedWebhook(user, channelId, webhookId)),
  ]);
  if (!row) throw noWebhook();
  return toWebhookView(ctx, row);
}
