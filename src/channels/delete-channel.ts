import { sql } from "drizzle-orm";
import type { Context, Services } from "../context.ts";
import { auditRowIf } from "../people/audit/audit-row.ts";
import { isChannelHeld } from "../people/holds/is-held.ts";
import { toldChannel } from "./channel-row.ts";
import { manageableChannel, requireChannels } from "./find-channel.ts";
import { homeOf, requireManaged, selectManaged, selectTold } from "./select-managed.ts";

/** Messages, and members, that go in one transaction: others want to write, too. */
const atOnce = 500;
/** Transactions for one channel before the others have their turn. */
const maxSlices = 40;
/** Channels that one round of the timer looks at. */
const channelsAtOnce = 20;

/**
 * Deletes a channel: from now on it is invisible, and its webhooks do not work; its messages are deleted later, in
 * batches.
 * @throws AppError `not_found`, `forbidden`
 */
export async function deleteChannel(ctx: Context, id: string): Promise<void> {
  const user = requireChannels(ctx);
  const now = Date.now();
  const [[before], , , , [after]] = await ctx.db.batch([
    selectManaged(ctx.db, user, id),
    // Private, so that its name is free again for a public one.
    ctx.db.run(
      sql`UPDATE channels SET deleted_at = ${now}, kind = 'private' WHERE id = ${id} AND ${manageableChannel(user)}`,
    ),
    auditRowIf(ctx, {
      action: "channel.deleted",
      targetType: "channel",
      targetId: id,
      organizationId: homeOf(id),
      detail: sql`(SELECT json_object('name', name) FROM channels WHERE id = ${id})`,
    }),
    ctx.db.run(
      sql`DELETE FROM channel_webhooks WHERE channel_id = ${id} AND EXISTS (SELECT 1 FROM channels WHERE id = ${id} AND deleted_at IS NOT NULL)`,
    ),
    selectTold(ctx.db, id),
  ]);
  requireManaged(before);
  if (!after) return;
  const channel = toldChannel(after);
  ctx.waitUntil(
    // Its members are still there to be told.
    ctx.channels.tell(channel, { type: "channel:left", data: {} }).then(() => emptyChannel(ctx, id)),
  );
}

/** Continues deleting channels, and starts with direct ones whose people are all gone. For the timer. */
export async function sweepChannels(services: Services): Promise<void> {
  const { db } = services;
  await db.run(sql`UPDATE channels SET deleted_at = ${Date.now()}, people = NULL, kind = 'private'
    WHERE kind = 'direct' AND member_count = 0 AND NOT ${isChannelHeld}`);
  const deleted = await db.all<{ id: string }>(
    sql`SELECT id FROM channels WHERE deleted_at IS NOT NULL AND NOT ${isChannelHeld} ORDER BY deleted_at LIMIT ${channelsAtOnce}`,
  );
  for (const { id } of deleted) await emptyChannel(services, id);
}

/** Takes away a part of what is left of a deleted channel, and the channel itself when nothing is. */
async function emptyChannel({ db }: Pick<Services, "db">, id: string): Promise<void> {
  for (let slice = 0; slice < maxSlices; slice++) {
    const messages = await db.run(sql`DELETE FROM channel_messages WHERE number IN (
      SELECT number FROM channel_messages WHERE channel_id = ${id} LIMIT ${atOnce})`);
    if (messages.rowsAffected > 0) continue;
    const members = await db.run(sql`DELETE FROM channel_members WHERE channel_id = ${id} AND user_id IN (
      SELECT user_id FROM channel_members WHERE channel_id = ${id} LIMIT ${atOnce})`);
    if (members.rowsAffected > 0) continue;
    await db.run(sql`DELETE FROM channels WHERE id = ${id} AND deleted_at IS NOT NULL`);
    return;
  }
}
