import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { sha256Hex } from "../../lib/sha256.ts";
import type { AuditedChange } from "../../people/audit/audit-row.ts";
import { manageableChannel } from "../find-channel.ts";
import type { WebhookView } from "./schema.ts";
import { webhookImagePath } from "./webhook-author.ts";

/** A webhook with its current face, as returned by `selectWebhooks`. */
export interface WebhookRow {
  id: string;
  channel_id: string;
  user_id: string | null;
  face_id: string;
  name: string;
  has_picture: 0 | 1;
  has_threads: 0 | 1;
  sealed_token: string;
  last_used_at: number | null;
  created_at: number;
  updated_at: number;
}

/** @param condition over `w` (channel_webhooks) */
export function selectWebhooks(ctx: Context, condition: SQL) {
  return ctx.db.all<WebhookRow>(sql`
    SELECT w.id, w.channel_id, w.user_id, w.face_id, f.name, f.picture_id IS NOT NULL AS has_picture, w.has_threads, w.sealed_token,
      w.last_used_at, w.created_at, w.updated_at
    FROM channel_webhooks w JOIN channel_webhook_faces f ON f.id = w.face_id
    WHERE ${condition} ORDER BY w.id`);
}

/** A condition over `w` (channel_webhooks): this webhook of this channel, if the person manages the channel now. */
export function managedWebhook(user: User, channelId: string, webhookId: string): SQL {
  return sql`(w.id = ${webhookId} AND w.channel_id = ${channelId} AND ${managedChannel(user, channelId)})`;
}

/** Whether the person manages the channel now. */
export function managedChannel(user: User, channelId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM channels WHERE channels.id = ${channelId} AND ${manageableChannel(user)})`;
}

/**
 * The audit detail of a change.
 * @param detail names and values, or SQL that makes JSON
 */
export function webhookChangeOf(
  what: "created" | "updated" | "token_rotated" | "deleted",
  id: string,
  organizationId: string,
  detail: Record<string, unknown> | SQL,
): AuditedChange {
  return { action: `channel_webhook.${what}`, targetType: "channel_webhook", targetId: id, organizationId, detail };
}

/** SQL: the audit detail of a webhook. */
export function detailOf(webhookId: string): SQL {
  return sql`(SELECT json_object('name', f.name, 'channel_id', w.channel_id) FROM channel_webhooks w
    JOIN channel_webhook_faces f ON f.id = w.face_id WHERE w.id = ${webhookId})`;
}

/** The stored form of a token: its hash to check posts, and the encrypted token to show the address again. */
export async function storedToken(ctx: Context, token: string): Promise<{ tokenHash: string; sealedToken: string }> {
  const [tokenHash, sealedToken] = await Promise.all([sha256Hex(token), ctx.vault.seal(token)]);
  return { tokenHash, sealedToken };
}

/** The webhook for managers of its channel, including the secret. */
export async function toWebhookView(ctx: Context, row: WebhookRow): Promise<WebhookView> {
  // The ring may have lost the key since: then only a new token helps.
  const token = await ctx.vault.open(row.sealed_token).catch(() => null);
  return {
    id: row.id,
    channel_id: row.channel_id,
    user_id: row.user_id,
    name: row.name,
    // With the face in it: a new picture has a new address.
    profile_image_url: row.has_picture ? webhookImagePath(row.id, row.face_id) : null,
    threads: row.has_threads === 1,
    token,
    url: token === null ? null : `${ctx.origin}/api/v1/channels/webhooks/${row.id}/${token}`,
    last_used_at: row.last_used_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function noWebhook(): AppError {
  return new AppError("not_found", "No such webhook in this channel");
}
