import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { readableChannel } from "../../people/grants/readable-channel.ts";
import { readDataUrl } from "../../people/users/parse-profile-image.ts";
import { drawInitials, type ProfileImage } from "../../people/users/profile-image.ts";
import { manageableChannel, requireChannels } from "../find-channel.ts";
import { deletedWebhook } from "./webhook-author.ts";

/**
 * The picture of a webhook, for those who read or manage its channel: its present one, or the one of a face, which never
 * changes. Initials where there is none. For everybody else, and when the webhook is gone, what stands for one that is gone.
 */
export async function getWebhookImage(ctx: Context, webhookId: string, faceId?: string): Promise<ProfileImage> {
  const user = requireChannels(ctx);
  const face = faceId === undefined ? sql`w.face_id` : sql`${faceId}`;
  const [row] = await ctx.db.all<{ name: string; url: string | null }>(sql`
    SELECT f.name, p.url FROM channel_webhooks w
    JOIN channel_webhook_faces f ON f.webhook_id = w.id AND f.id = ${face}
    JOIN channels ON channels.id = w.channel_id
    LEFT JOIN channel_webhook_pictures p ON p.id = f.picture_id
    WHERE w.id = ${webhookId} AND (${readableChannel(user)} OR ${manageableChannel(user)})`);
  if (!row?.url) return { type: "image/svg+xml", bytes: drawInitials(webhookId, row?.name ?? deletedWebhook) };
  return readDataUrl(row.url) ?? { location: row.url };
}
