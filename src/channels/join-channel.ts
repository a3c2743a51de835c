import { sql } from "drizzle-orm";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { refused } from "./audience.ts";
import { selectChannels, toChannelView, toldChannel } from "./channel-row.ts";
import { noChannel, requireChannels, visibleChannel } from "./find-channel.ts";
import { joinStatement } from "./join-statement.ts";
import { lastManager } from "./members/change-members.ts";
import { tellLeft, tellMembers } from "./members/tell-members.ts";
import type { ChannelView } from "./schema.ts";
import { selectTold } from "./select-managed.ts";

/**
 * The caller comes into a public channel of their organization; who is in already stays in.
 * @throws AppError `not_found`; `forbidden` for one that a system administrator finds but cannot come into
 */
export async function joinChannel(ctx: Context, id: string): Promise<ChannelView> {
  const user = requireChannels(ctx);
  const [joined, [row]] = await ctx.db.batch([
    joinStatement(ctx.db, user, id, sql`TRUE`, Date.now()),
    selectChannels(ctx.db, user, sql`channels.id = ${id}`),
  ]);
  if (!row) throw noChannel();
  if (row.role === null) {
    const why =
      row.is_readable || row.kind === "public"
        ? "The channel belongs to another organization"
        : "The channel is private: ask one of its managers to add you";
    throw new AppError("forbidden", why);
  }
  if (joined.rowsAffected > 0) tellMembers(ctx, toldChannel(row), [user.id]);
  return toChannelView(row);
}

/**
 * The caller is no longer in the channel. @throws AppError `not_found`, `forbidden` for one that they are not in; `conflict` for its
 * last manager; `validation_failed` for direct conversations
 */
export async function leaveChannel(ctx: Context, id: string): Promise<void> {
  const user = requireChannels(ctx);
  const mine = sql`channel_id = ${id} AND user_id = ${user.id}`;
  const another = sql`EXISTS (SELECT 1 FROM channel_members k WHERE k.channel_id = ${id} AND k.role = 'manager' AND k.user_id <> ${user.id})`;
  const [[before], left, [after]] = await ctx.db.batch([
    ctx.db.all<{ kind: string; role: string | null; another: number }>(sql`
      SELECT channels.kind, m.role, ${another} AS another FROM channels
      LEFT JOIN channel_members m ON m.channel_id = channels.id AND m.user_id = ${user.id}
      WHERE channels.id = ${id} AND ${visibleChannel(user)}`),
    ctx.db.run(sql`DELETE FROM channel_members WHERE ${mine} AND (role <> 'manager' OR ${another})
      AND EXISTS (SELECT 1 FROM channels WHERE channels.id = ${id} AND channels.kind <> 'direct' AND channels.deleted_at IS NULL)`),
    selectTold(ctx.db, id),
  ]);
  if (!before) throw noChannel();
  if (before.role === null) throw new AppError("forbidden", "Only a member of the channel can do this");
  if (before.kind === "direct") throw refused("id", "Direct conversations cannot be left, only hidden");
  if (before.role === "manager" && !before.another) throw lastManager();
  if (left.rowsAffected === 0 || !after) return;
  tellMembers(ctx, toldChannel(after), []);
  tellLeft(ctx, id, [user.id]);
}
