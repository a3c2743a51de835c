import { sql } from "drizzle-orm";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { noChannel, requireChannels, visibleChannel } from "./find-channel.ts";
import type { LastRead } from "./schema.ts";

/**
 * The caller has seen the channel up to this number; never goes back, and not beyond the latest message. Their other tabs are
 * told. One round trip.
 * @throws AppError `not_found`; `forbidden` for a channel that they are not in
 */
export async function readUpTo(ctx: Context, id: string, seq: number): Promise<LastRead> {
  const user = requireChannels(ctx);
  const seen = sql`min(${seq}, (SELECT head FROM channels WHERE id = ${id}))`;
  const found = sql`FROM channels LEFT JOIN channel_members m ON m.channel_id = channels.id AND m.user_id = ${user.id}
    WHERE channels.id = ${id} AND ${visibleChannel(user)}`;
  const [[before], [moved]] = await ctx.db.batch([
    ctx.db.all<{ last_read: number | null; last_read_at: number | null }>(
      sql`SELECT m.last_read, m.last_read_at ${found}`,
    ),
    ctx.db.all<{ last_read: number; last_read_at: number }>(sql`
      UPDATE channel_members SET last_read = ${seen}, last_read_at = ${Date.now()}
      WHERE channel_id = ${id} AND user_id = ${user.id} AND last_read < ${seen} AND EXISTS (SELECT 1 ${found})
      RETURNING last_read, last_read_at`),
  ]);
  if (!before) throw noChannel();
  if (before.last_read === null) throw new AppError("forbidden", "Only members of the channel can do this");
  if (!moved) return { last_read: before.last_read, last_read_at: before.last_read_at };
  const event = { type: "channel:read", data: { last_read: moved.last_read } } as const;
  ctx.waitUntil(ctx.live.publish(user.id, { channel_id: id, data: event }));
  return moved;
}
