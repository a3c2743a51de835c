import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { randomToken } from "../../lib/random-token.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { findChannel, noChannel, requireChannels } from "../find-channel.ts";
import { channelWebhookFaces, channelWebhookPictures, channelWebhooks } from "../tables.ts";
import { readPictureChange } from "./read-picture-change.ts";
import type { NewWebhook, WebhookView } from "./schema.ts";
import {
  managedChannel,
  selectWebhooks,
  storedToken,
  toWebhookView,
  type WebhookRow,
  webhookChangeOf,
} from "./webhook-rows.ts";

/** More than this in one channel, and nobody knows any more what posts there. */
const maxWebhooks = 50;

/**
 * Creates a webhook that posts into the channel.
 * @throws AppError `not_found`, `forbidden` for people who do not manage the channel, `validation_failed` for an
 *   invalid picture, `conflict` above the maximum number of webhooks
 */
export async function createWebhook(ctx: Context, channelId: string, input: NewWebhook): Promise<WebhookView> {
  const user = requireChannels(ctx);
  const { organizationId } = await findChannel(ctx, channelId, "manage");
  const url = readPictureChange(input.profile_image_url) ?? null;
  const [id, faceId, pictureId, now] = [newId(), newId(), newId(), Date.now()];
  const token = await storedToken(ctx, randomToken());
  const times = { allowance: 0, refilledAt: 0, createdAt: now, updatedAt: now };
  const row = { id, channelId, userId: user.id, faceId, hasThreads: input.threads ?? true, ...token, ...times };
  const managed = managedChannel(user, channelId);
  const room = sql`(SELECT count(*) FROM channel_webhooks WHERE channel_id = ${channelId}) < ${maxWebhooks}`;
  const made = sql`EXISTS (SELECT 1 FROM channel_webhooks WHERE id = ${id})`;
  const face = {
    id: faceId,
    webhookId: id,
    name: input.name,
    pictureId: url === null ? null : pictureId,
    createdAt: now,
  };
  const change = webhookChangeOf("created", id, organizationId, { name: input.name, channel_id: channelId });
  const results = await runBatch(ctx.db, [
    ctx.db.all(sql`SELECT ${managed} AS managed`),
    insertWhere(ctx.db, channelWebhooks, row, sql`${managed} AND ${room}`),
    auditRowIf(ctx, change),
    ...(url === null ? [] : [insertWhere(ctx.db, channelWebhookPictures, { id: pictureId, webhookId: id, url }, made)]),
    insertWhere(ctx.db, channelWebhookFaces, face, made),
    selectWebhooks(ctx, sql`w.id = ${id}`),
  ]);
  const [stored] = results.at(-1) as WebhookRow[];
  if (stored) return toWebhookView(ctx, stored);
  const [{ managed: isManaged }] = results[0] as [{ managed: 0 | 1 }];
  if (!isManaged) throw noChannel();
  throw new AppError("conflict", `A channel can have at most ${maxWebhooks} webhooks: delete one that you do not use`);
}
