import { sql, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { sha256Hex } from "../../lib/sha256.ts";
import { wasPosted } from "../messages/post-statements.ts";
import { writePosts } from "../messages/write-posts.ts";
import { type Allowance, allowanceSql, type PostLimits, secondsUntilPost } from "./allowance.ts";
import type { InboundPost } from "./inbound-post.ts";
import { refusalStatements, requestStatements } from "./request-log.ts";
import { threadStatements } from "./thread-statements.ts";

/** The two parts of the address that identify the webhook. */
export interface WebhookAddress {
  id: string;
  token: string;
}

const inactive = "The organization of the channel is switched off";
const tooFast = "This webhook posts too fast: wait for the time in Retry-After";

interface FoundWebhook extends Allowance {
  /** Whether the organization is switched on. */
  active: 0 | 1;
}

/**
 * A post by webhook: one batch, in which the database decides whether it is accepted. Repeated with the same key it is
 * the same message, does not count and notifies nobody. What belongs together becomes a thread.
 * @param format of a body that cannot be read, where the address says it
 * @param read returns the post; its errors are shown only with a valid address
 * @returns the message's id
 * @throws AppError `forbidden` while channels are switched off; `not_signed_in` for an unknown or invalid address;
 *   `organization_inactive`; `too_many_requests` with the seconds until the next one
 */
export async function postByWebhook(
  ctx: Context,
  address: WebhookAddress,
  format: string | null,
  read: () => Promise<InboundPost>,
): Promise<string> {
  if (!ctx.settings.ENABLE_CHANNELS) throw new AppError("forbidden", "Channels are switched off");
  const theOne = await valid(address);
  const post = await read().catch(async (error: unknown) => {
    const known = ctx.db.all(sql`SELECT 1 FROM channel_webhooks w WHERE ${theOne}`);
    const refusal =
      error instanceof AppError ? refusalStatements(ctx.db, { webhookId: address.id, format, theOne }, error) : [];
    const [[isKnown]] = await ctx.db.batch([known, ...refusal]);
    throw isKnown ? error : noAddress();
  });
  const [id, now] = [newId(), Date.now()];
  const thread = await threadStatements(ctx.db, address.id, id, post, now);
  const limits: PostLimits = { rate: ctx.settings.CHANNEL_WEBHOOK_RATE, burst: ctx.settings.CHANNEL_WEBHOOK_BURST };
  const { isEnough, taken } = allowanceSql(limits, now);
  const open = sql`EXISTS (SELECT 1 FROM channels c JOIN organizations o ON o.id = c.organization_id
    WHERE c.id = w.channel_id AND c.deleted_at IS NULL AND o.active)`;
  const sentBefore = sql`EXISTS (SELECT 1 FROM channel_messages m
    WHERE m.channel_id = w.channel_id AND m.sender = 'webhook:' || w.id AND m.key = ${post.key ?? null})`;
  const { posted, first } = await writePosts(ctx, {
    first: [
      findWebhook(ctx, theOne),
      ctx.db
        .run(sql`UPDATE channel_webhooks AS w SET ${taken}, last_post = ${id}, last_used_at = ${now}, is_face_used = 1
        WHERE ${theOne} AND ${open} AND ${isEnough} AND NOT ${sentBefore}`),
    ],
    posts: [
      {
        id,
        channelId: sql`(SELECT channel_id FROM channel_webhooks WHERE id = ${address.id})`,
        author: {
          kind: "webhook",
          webhookId: address.id,
          faceId: sql`(SELECT face_id FROM channel_webhooks WHERE id = ${address.id})`,
        },
        content: post.content,
        card: post.card,
        shownAs: ctx.settings.ENABLE_CHANNEL_WEBHOOK_NAMES ? post.shownAs : undefined,
        joins: thread?.joins,
        key: post.key,
        condition: sql`EXISTS (SELECT 1 FROM channel_webhooks WHERE id = ${address.id} AND last_post = ${id})`,
        now,
      },
    ],
    last: [
      ...(thread?.last ?? []),
      ...requestStatements(ctx.db, {
        webhookId: address.id,
        format: post.format,
        theOne,
        status: sql`CASE WHEN ${wasPosted(id)} OR ${sentBefore} THEN 200 WHEN ${open} THEN 429 ELSE 403 END`,
        reason: sql`CASE WHEN ${wasPosted(id)} THEN NULL WHEN ${sentBefore} THEN 'Sent again: it was posted before'
          WHEN ${open} THEN ${tooFast} ELSE ${inactive} END`,
        messageId: sql`(SELECT m.id FROM channel_messages m WHERE m.channel_id = w.channel_id
          AND (m.id = ${id} OR (m.sender = 'webhook:' || w.id AND m.key = ${post.key ?? null})))`,
      }),
    ],
  });
  const [found] = first[0] as FoundWebhook[];
  if (!found) throw noAddress();
  if (!found.active) throw new AppError("organization_inactive", inactive);
  const [message] = posted;
  if (message) return message.message.id;
  throw new AppError("too_many_requests", tooFast, {
    retryAfter: secondsUntilPost(found, limits, now),
  });
}

/** The webhook behind the address as it was before the post. */
function findWebhook(ctx: Context, theOne: SQL) {
  return ctx.db.all<FoundWebhook>(sql`SELECT w.allowance, w.refilled_at AS refilledAt, o.active FROM channel_webhooks w
    JOIN channels c ON c.id = w.channel_id JOIN organizations o ON o.id = c.organization_id
    WHERE ${theOne} AND c.deleted_at IS NULL`);
}

const places = JSON.stringify(Array.from({ length: 64 }, (_, at) => at + 1));

/**
 * A condition over `channel_webhooks` as `w`: this address. Hashes are compared, letter by letter and always all of them: how
 * long it takes says nothing about the right one.
 */
async function valid({ id, token }: WebhookAddress): Promise<SQL> {
  const hash = await sha256Hex(token);
  return sql`(w.id = ${id} AND (SELECT total(substr(w.token_hash, n.value, 1) <> substr(${hash}, n.value, 1))
    FROM json_each(${places}) n) = 0)`;
}

function noAddress(): AppError {
  return new AppError("not_signed_in", "No webhook at this address, or its token is no longer valid");
}
