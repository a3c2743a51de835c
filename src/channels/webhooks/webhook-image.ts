import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { readableChannel } from "../../people/grants/readable-channel.ts";
import { pictureOrInitials, type ProfileImage } from "../../people/users/profile-image.ts";
import { manageableChannel, requireChannels } from "../find-channel.ts";

/**
 * The picture of a webhook, for people who can read or manage its channel: the current one, or that of a face, which
 * never changes. A webhook without a picture shows its initials.
 * @throws AppError `not_found` for everyone else, and for webhooks that are deleted or never were
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
  if (!row) throw new AppError("not_found", "No such webhook");
  return pictureOrInitials(ctx, webhookId, row);
}
