import { sql, type SQL } from "drizzle-orm";
import type { User } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { noChannel, requireChannels, visibleChannel } from "./find-channel.ts";
import type { LastRead, ReadPosition } from "./schema.ts";

/**
 * The caller has seen the channel, or a thread in it, up to this number; never goes back, and not beyond the latest message. Their
 * other tabs are told. One round trip.
 * @throws AppError `not_found`; `forbidden` for a channel that they are not in
 */
export async function readUpTo(
  ctx: Context,
  id: string,
  { seq, parent_id: parentId }: ReadPosition,
): Promise<LastRead> {
  const user = requireChannels(ctx);
  return parentId ? readThread(ctx, user, id, { parentId, seq }) : readChannel(ctx, user, id, seq);
}

async function readChannel(ctx: Context, user: User, id: string, seq: number): Promise<LastRead> {
  const seen = sql`min(${seq}, (SELECT head FROM channels WHERE id = ${id}))`;
  const [[mine], [moved]] = await ctx.db.batch([
    selectPosition(ctx, user, id),
    ctx.db.all<{ last_read: number; last_read_at: number }>(sql`
      UPDATE channel_members SET last_read = ${seen}, last_read_at = ${Date.now()}
      WHERE channel_id = ${id} AND user_id = ${user.id} AND last_read < ${seen} AND EXISTS (SELECT 1 ${found(user, id)})
      RETURNING last_read, last_read_at`),
  ]);
  const before = requirePosition(mine);
  if (!moved) return before;
  tellTabs(ctx, user, id, moved);
  return moved;
}

/** Nothing in the thread up to there calls for the caller any more. */
async function readThread(
  ctx: Context,
  user: User,
  id: string,
  { parentId, seq }: { parentId: string; seq: number },
): Promise<LastRead> {
  const [[mine], seen] = await ctx.db.batch([
    selectPosition(ctx, user, id),
    ctx.db.all(sql`
      DELETE FROM channel_mentions WHERE user_id = ${user.id} AND channel_id = ${id} AND seq <= ${seq}
        AND message_id IN (SELECT m.id FROM channel_messages m WHERE m.parent_id = ${parentId}) RETURNING seq`),
  ]);
  const position = requirePosition(mine);
  if (seen.length > 0) tellTabs(ctx, user, id, position);
  return position;
}

interface PositionRow {
  last_read: number | null;
  last_read_at: number | null;
}

function selectPosition(ctx: Context, user: User, id: string) {
  return ctx.db.all<PositionRow>(sql`SELECT m.last_read, m.last_read_at ${found(user, id)}`);
}

function found(user: User, id: string): SQL {
  return sql`FROM channels LEFT JOIN channel_members m ON m.channel_id = channels.id AND m.user_id = ${user.id}
    WHERE channels.id = ${id} AND ${visibleChannel(user)}`;
}

function requirePosition(row: PositionRow | undefined): LastRead {
  if (!row) throw noChannel();
  if (row.last_read === null) throw new AppError("forbidden", "Only a member of the channel can do this");
  return { last_read: row.last_read, last_read_at: row.last_read_at };
}

function tellTabs(ctx: Context, user: User, id: string, { last_read }: LastRead): void {
  const event = { type: "channel:read", data: { last_read } } as const;
  ctx.waitUntil(ctx.live.publish(user.id, { channel_id: id, data: event }));
}
