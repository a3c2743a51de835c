import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { findChannel, requireChannels } from "../find-channel.ts";
import { readPictureChange } from "./read-picture-change.ts";
import type { WebhookChange, WebhookView } from "./schema.ts";
import {
  managedWebhook,
  noWebhook,
  selectWebhooks,
  toWebhookView,
  type WebhookRow,
  webhookChangeOf,
} from "./webhook-rows.ts";

/** Pictures of one webhook that its posts show, the present one included. */
const maxPictures = 50;

/**
 * Changes name or picture, and whether there are threads, for new posts. The address stays, and earlier posts keep theirs; a version without posts is
 * removed.
 * @throws AppError `not_found`, `forbidden` for people who do not manage the channel, `validation_failed` for an
 *   invalid picture, `limit_reached` for one picture too many
 */
export async function updateWebhook(
  ctx: Context,
  channelId: string,
  webhookId: string,
  input: WebhookChange,
): Promise<WebhookView> {
  const user = requireChannels(ctx);
  const { organizationId } = await findChannel(ctx, channelId, "manage");
  const url = readPictureChange(input.profile_image_url);
  const [faceId, pictureId, now] = [newId(), newId(), Date.now()];
  const name = input.name === undefined ? sql`f.name` : sql`${input.name}`;
  const picture = url === undefined ? sql`f.picture_id` : url === null ? sql`NULL` : sql`${pictureId}`;
  const otherName = input.name === undefined ? sql`FALSE` : sql`f.name <> ${input.name}`;
  const otherPicture =
    url === undefined
      ? sql`FALSE`
      : sql`(SELECT p.url FROM channel_webhook_pictures p WHERE p.id = f.picture_id) IS NOT ${url}`;
  // Those that posts show have to stay.
  const isFull =
    typeof url === "string"
      ? sql`(SELECT count(*) FROM channel_webhook_pictures WHERE webhook_id = ${webhookId}) >= ${maxPictures}`
      : sql`FALSE`;
  const otherThreads = input.threads === undefined ? sql`FALSE` : sql`w.has_threads <> ${input.threads}`;
  const theOne = sql`FROM channel_webhooks w JOIN channel_webhook_faces f ON f.id = w.face_id
    WHERE ${managedWebhook(user, channelId, webhookId)}`;
  const asked = sql`${theOne} AND (${otherName} OR ${otherPicture})`;
  const changing = sql`${asked} AND NOT ${isFull}`;
  const isRefused = sql`EXISTS (SELECT 1 ${asked} AND ${isFull})`;
  const noted = sql`${theOne} AND (${otherName} OR ${otherPicture} OR ${otherThreads}) AND NOT ${isRefused}`;
  const threads = input.threads === undefined ? sql`` : sql`, 'threads', json(${String(input.threads)})`;
  const detail = sql`(SELECT json_object('name', ${name}, 'old_name', f.name, 'channel_id', w.channel_id,
    'picture', json(iif(${otherPicture}, 'true', 'false'))${threads}) ${noted})`;
  const changed = sql`EXISTS (SELECT 1 FROM channel_webhook_faces WHERE id = ${faceId})`;
  const results = await runBatch(ctx.db, [
    auditRowIf(ctx, webhookChangeOf("updated", webhookId, organizationId, detail), sql`EXISTS (SELECT 1 ${noted})`),
    ...(input.threads === undefined
      ? []
      : [
          ctx.db.run(sql`UPDATE channel_webhooks AS w SET has_threads = ${input.threads}, updated_at = ${now}
            WHERE ${managedWebhook(user, channelId, webhookId)} AND ${otherThreads} AND NOT ${isRefused}`),
        ]),
    ctx.db.run(sql`INSERT INTO channel_webhook_faces (id, webhook_id, name, picture_id, created_at)
      SELECT ${faceId}, w.id, ${name}, ${picture}, ${now} ${changing}`),
    ...(typeof url === "string"
      ? [
          ctx.db.run(sql`INSERT INTO channel_webhook_pictures (id, webhook_id, url)
            SELECT ${pictureId}, ${webhookId}, ${url} WHERE ${changed}`),
        ]
      : []),
    ctx.db.run(sql`DELETE FROM channel_webhook_faces WHERE ${changed}
      AND id = (SELECT w.face_id FROM channel_webhooks w WHERE w.id = ${webhookId} AND w.is_face_used = 0)`),
    ctx.db.run(sql`UPDATE channel_webhooks SET face_id = ${faceId}, is_face_used = 0, updated_at = ${now}
      WHERE id = ${webhookId} AND ${changed}`),
    ctx.db.run(sql`DELETE FROM channel_webhook_pictures WHERE webhook_id = ${webhookId} AND ${changed}
      AND NOT EXISTS (SELECT 1 FROM channel_webhook_faces f WHERE f.webhook_id = ${webhookId}
        AND f.picture_id = channel_webhook_pictures.id)`),
    ctx.db.all<{ isRefused: number }>(sql`SELECT ${isRefused} AND NOT ${changed} AS isRefused`),
    selectWebhooks(ctx, managedWebhook(user, channelId, webhookId)),
  ]);
  const [state] = results.at(-2) as { isRefused: number }[];
  if (state?.isRefused)
    throw new AppError("limit_reached", `Messages show ${maxPictures} pictures of this webhook: it cannot have more`);
  const [stored] = results.at(-1) as WebhookRow[];
  if (!stored) throw noWebhook();
  return toWebhookView(ctx, stored);
}
