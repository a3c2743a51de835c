import { sql } from "drizzle-orm";
import type { Context } from "../context.ts";
import { containsWords } from "../db/contains-words.ts";
import { decodeCursor, encodeCursor } from "../db/page.ts";
import { selectChannels, toChannelView } from "./channel-row.ts";
import { noChannel, requireChannels } from "./find-channel.ts";
import type { BrowsePage, BrowseQuery, ChannelView } from "./schema.ts";

/** So many are listed at most; those with the latest messages. */
const maxListed = 1000;

const latestFirst = sql`coalesce(channels.last_message_at, channels.created_at) DESC, channels.id`;

/**
 * The caller's channels, without hidden direct ones, latest message first; one round trip.
 * @param all as in Open WebUI's `/list`: system administrators get every channel except direct ones of others, their
 *   own first
 */
export async function listChannels(ctx: Context, { all = false } = {}): Promise<ChannelView[]> {
  const user = requireChannels(ctx);
  const own = sql`(mine.user_id IS NOT NULL AND mine.is_hidden = 0 AND +channels.organization_id = ${user.organizationId})`;
  // The plus and the list of memberships make SQLite begin with the person's channels, not with all of the organization.
  const theirs = sql`(channels.id IN (SELECT channel_id FROM channel_members WHERE user_id = ${user.id}) AND ${own})`;
  const wanted = all && user.role === "admin" ? sql`(${own} OR mine.user_id IS NULL)` : theirs;
  const order = sql`ORDER BY mine.user_id IS NULL, ${latestFirst} LIMIT ${maxListed}`;
  return (await selectChannels(ctx.db, user, wanted, order)).map(toChannelView);
}

/**
 * A channel that the caller can see.
 * @throws AppError `not_found`
 */
export async function getChannel(ctx: Context, id: string): Promise<ChannelView> {
  const user = requireChannels(ctx);
  const [row] = await selectChannels(ctx.db, user, sql`channels.id = ${id}`);
  if (!row) throw noChannel();
  return toChannelView(row);
}

/**
 * Public channels of the caller's organization, by name, including their own.
 * @throws AppError `bad_request` for an invalid cursor
 */
export async function browseChannels(ctx: Context, input: BrowseQuery): Promise<BrowsePage> {
  const user = requireChannels(ctx);
  const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor, 2);
  const rows = await selectChannels(
    ctx.db,
    user,
    sql`channels.organization_id = ${user.organizationId} AND channels.kind = 'public'
      AND ${containsWords(input.query?.replaceAll("#", " "), [sql.raw("channels.name"), sql.raw("channels.description")])}
      AND ${after ? sql`(channels.name, channels.id) > (${after[0]}, ${after[1]})` : sql`TRUE`}`,
    sql`ORDER BY channels.name, channels.id LIMIT ${input.limit + 1}`,
  );
  const shown = rows.slice(0, input.limit);
  const last = shown.at(-1);
  return {
    items: shown.map(toChannelView),
    next_cursor: rows.length > input.limit && last ? encodeCursor([last.name, last.id]) : null,
  };
}
