import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { readableChannel } from "../../people/grants/readable-channel.ts";
import { findChannel, requireChannels } from "../find-channel.ts";
import type { ChannelMessage } from "../schema.ts";
import { noMessage, readsChannel } from "./find-message.ts";
import { messageView } from "./message-view.ts";
import type { HistoryPage, HistoryQuery } from "./schema.ts";
import { selectMessages } from "./select-messages.ts";

/** A condition over `channel_messages` as `c`: of a deleted message something is left as long as answers are below it. */
const isLeft = sql`(c.deleted_at IS NULL OR c.reply_count > 0)`;

interface Opened {
  head: number;
  /** The head of the thread; null where there is none. */
  thread: string | null;
}

/**
 * A page of a channel, or of a thread, by numbers. One round trip.
 * @throws AppError `not_found`, `forbidden`
 */
export async function getHistory(ctx: Context, channelId: string, query: HistoryQuery): Promise<HistoryPage> {
  const user = requireChannels(ctx);
  const { before, after, around, limit } = query;
  const page = (range: SQL, order: "ASC" | "DESC", maxRows: number) =>
    selectPage(ctx, user, channelId, query.parent_id, sql`${range} ORDER BY c.seq ${sql.raw(order)} LIMIT ${maxRows}`);
  // From here on upwards, and downwards from right below it.
  const start = after === undefined ? around : after + 1;
  const older = start === undefined ? limit : around === undefined ? 0 : Math.floor(limit / 2);
  const newer = limit - older;
  const end = before ?? start;
  const [[opened], down, up] = await ctx.db.batch([
    selectOpened(ctx, user, channelId, query.parent_id),
    // One more than is shown says whether there is more.
    page(end === undefined ? sql`` : sql`AND c.seq < ${end}`, "DESC", older === 0 ? 0 : older + 1),
    page(sql`AND c.seq >= ${start ?? 0}`, "ASC", newer === 0 ? 0 : newer + 1),
  ]);
  if (!opened) throw await whyClosed(ctx, channelId);
  if (query.parent_id !== undefined && opened.thread === null) throw noMessage();
  const { head } = opened;
  const earlier = down.slice(down.length > older ? 1 : 0);
  const later = up.slice(0, newer);
  const rows = [...earlier, ...later];
  return {
    messages: rows.map((row) => messageView(row, user.id)),
    from: older === 0 ? start! : down.length > older ? rows[0]!.seq : 0,
    to: newer === 0 ? Math.min(head, (before ?? Infinity) - 1) : up.length > newer ? rows.at(-1)!.seq : head,
    head,
  };
}

/**
 * The peer's page: newest first, counted from the newest; of a thread its head comes last. One round trip.
 * @param parentId the message whose thread it is; without one, the channel itself
 * @throws AppError `not_found`, `forbidden`
 */
export async function listMessages(
  ctx: Context,
  channelId: string,
  { skip, limit }: { skip: number; limit: number },
  parentId?: string,
): Promise<ChannelMessage[]> {
  const user = requireChannels(ctx);
  const [[opened], rows] = await ctx.db.batch([
    selectOpened(ctx, user, channelId, parentId),
    selectPage(ctx, user, channelId, parentId, sql`ORDER BY c.seq DESC LIMIT ${limit} OFFSET ${skip}`),
  ]);
  if (!opened) throw await whyClosed(ctx, channelId);
  if (parentId !== undefined && opened.thread === null) throw noMessage();
  return rows.map((row) => messageView(row, user.id)).reverse();
}

/** Statement: a row if the person reads the channel. */
export function selectOpened(ctx: Context, user: User, channelId: string, parentId?: string) {
  return ctx.db.all<Opened>(sql`
    SELECT channels.head, ${parentId === undefined ? null : threadOf(channelId, parentId)} AS thread
    FROM channels WHERE channels.id = ${channelId} AND ${readableChannel(user)}`);
}

/** Statement: what `tail` leaves of the messages of a channel or thread, oldest first. */
function selectPage(ctx: Context, user: User, channelId: string, parentId: string | undefined, tail: SQL) {
  const thread = parentId === undefined ? undefined : threadOf(channelId, parentId);
  const place = thread ? sql`(c.parent_id = ${thread} OR c.id = ${thread})` : sql`c.parent_id IS NULL`;
  return selectMessages(
    ctx.db,
    user.id,
    sql`m.number IN (SELECT c.number FROM channel_messages c
      WHERE c.channel_id = ${channelId} AND ${place} AND ${isLeft} AND ${readsChannel(user, channelId)} ${tail}) ORDER BY m.seq`,
  );
}

/** The head of the thread that a message heads or stands in. */
function threadOf(channelId: string, id: string): SQL {
  return sql`(SELECT coalesce(c.parent_id, c.id) FROM channel_messages c
    WHERE c.id = ${id} AND c.channel_id = ${channelId} AND ${isLeft})`;
}

/** Why somebody cannot read what is said in a channel. */
export async function whyClosed(ctx: Context, channelId: string): Promise<Error> {
  await findChannel(ctx, channelId, "read");
  // They may again, since a moment ago.
  return noMessage();
}
