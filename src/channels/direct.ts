import { sql } from "drizzle-orm";
import type { Context } from "../context.ts";
import { insertWhere } from "../db/insert-where.ts";
import { AppError } from "../errors.ts";
import { newId } from "../lib/id.ts";
import { refused } from "./audience.ts";
import { selectChannels, toChannelView } from "./channel-row.ts";
import { findChannel, requireChannels } from "./find-channel.ts";
import { missingPeople, requireAllNamed } from "./members/named-people.ts";
import { type ChannelView, maxDirectPeople } from "./schema.ts";
import { channels } from "./tables.ts";

/**
 * The conversation of the caller and these people: the same few have one, however many ask for it at once. Whoever is asked
 * into a new one sees it when something is said there.
 * @throws AppError `validation_failed` for too few or too many people, and for people it cannot begin with
 */
export async function openDirect(ctx: Context, userIds: readonly string[]): Promise<ChannelView> {
  const user = requireChannels(ctx);
  const ids = [...new Set([user.id, ...userIds])].toSorted();
  if (ids.length < 2) throw refused("user_ids", "A direct conversation needs at least one other person");
  if (ids.length > maxDirectPeople)
    throw refused("user_ids", `A direct conversation has at most ${maxDirectPeople} people: create a private channel instead`);
  const people = ids.join(",");
  const home = user.organizationId;
  const now = Date.now();
  const missing = missingPeople({ userIds: ids, groupIds: [] }, home);
  const theirs = sql`channels.organization_id = ${home} AND channels.people = ${people}`;
  const [[state], , , [row]] = await ctx.db.batch([
    ctx.db.all<{ missing: number }>(sql`SELECT ${missing} AS missing`),
    insertWhere(
      ctx.db,
      channels,
      {
        id: newId(),
        organizationId: home,
        userId: user.id,
        kind: "direct",
        name: "",
        people,
        createdAt: now,
        updatedAt: now,
      },
      sql`${missing} = 0`,
    ).onConflictDoNothing(),
    // Whoever was away in another organization comes back to what they had.
    ctx.db.run(sql`INSERT INTO channel_members (channel_id, user_id, role, last_read, is_hidden, joined_at)
      SELECT channels.id, u.id, 'member', channels.head, u.id <> ${user.id}, ${now}
      FROM channels JOIN users u ON u.id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND u.organization_id = ${home}
      WHERE ${theirs} ON CONFLICT DO UPDATE SET is_hidden = 0 WHERE user_id = ${user.id}`),
    selectChannels(ctx.db, user, theirs),
  ]);
  if (!row) {
    requireAllNamed({ people: state!.missing, groups: 0 });
    throw refused("user_ids", "These people cannot talk to each other here");
  }
  tellOwnTabs(ctx, user.id, row.id);
  return toChannelView(row);
}

/** The same for one other person, named in the path. @throws AppError `not_found` for somebody whom it cannot begin with */
export async function openDirectWith(ctx: Context, userId: string): Promise<ChannelView> {
  const user = requireChannels(ctx);
  if (userId === user.id) return openDirect(ctx, [userId]);
  try {
    return await openDirect(ctx, [userId]);
  } catch (error) {
    if (error instanceof AppError && error.code === "validation_failed")
      throw new AppError("not_found", "No such person");
    throw error;
  }
}

/**
 * Puts a direct conversation out of the caller's sight until somebody writes there, or back.
 * @throws AppError `not_found`; `validation_failed` for channels that one can leave
 */
export async function showDirect(ctx: Context, id: string, isShown: boolean): Promise<void> {
  const channel = await findChannel(ctx, id, "read");
  if (channel.kind !== "direct")
    throw refused("is_active", "Only direct conversations can be hidden: leave the channel instead");
  const user = requireChannels(ctx);
  await ctx.db.run(
    sql`UPDATE channel_members SET is_hidden = ${isShown ? 0 : 1} WHERE channel_id = ${id} AND user_id = ${user.id}`,
  );
  tellOwnTabs(ctx, user.id, id);
}

function tellOwnTabs(ctx: Context, userId: string, channelId: string): void {
  ctx.waitUntil(ctx.live.publish(userId, { channel_id: channelId, data: { type: "channel:changed", data: {} } }));
}
