import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Services } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { toldChannel } from "../channel-row.ts";
import type { ChannelMessage } from "../schema.ts";
import { selectTold } from "../select-managed.ts";
import { announce, type Announced } from "./announce-messages.ts";
import { messageView } from "./message-view.ts";
import { postStatements, senderOf, type NewPost } from "./post-statements.ts";
import { selectMessages, type MessageRow } from "./select-messages.ts";

export interface PostsToWrite {
  /** All in one channel; each may answer one before it. */
  posts: readonly [NewPost, ...NewPost[]];
  /** Statements before and after those of the posts, in the same transaction. */
  first?: readonly BatchItem<"sqlite">[];
  last?: readonly BatchItem<"sqlite">[];
  /** Whose view of the messages is given back; null for everybody's. */
  reader?: string | null;
  /** What the sender of the first post calls it, for the event: their tabs know by it what they have sent. */
  tempId?: string | undefined;
}

/** A post that was taken: now, or, with `isNew` false, the first time that it came. */
export interface Posted {
  message: ChannelMessage;
  isNew: boolean;
}

/**
 * Writes posts in one round trip, and tells the channel of those that are new.
 * @returns of each post what has become of it, undefined where it was refused; the results of `first` and `last`
 * @throws AppError `conflict` when an author has gone at this moment
 */
export async function writePosts(
  services: Pick<Services, "db" | "channels" | "waitUntil">,
  { posts, first = [], last = [], reader = null, tempId }: PostsToWrite,
): Promise<{ posted: (Posted | undefined)[]; first: unknown[]; last: unknown[] }> {
  const { db } = services;
  const writes = posts.flatMap((post) => postStatements(services, post));
  const channelId = posts[0].channelId;
  const results = await runBatch(db, [
    ...first,
    ...writes,
    ...last,
    selectTold(db, channelId),
    selectMessages(db, reader, sql`${whichOf(posts)} ORDER BY m.seq`),
  ]);
  const [channels, rows] = results.slice(-2) as [Awaited<ReturnType<typeof selectTold>>, MessageRow[]];
  const [channel] = channels;
  const found = posts.map((post) => {
    const isThis = (row: MessageRow) =>
      row.id === post.id || (post.key !== undefined && row.key === post.key && row.sender === senderOf(post.author));
    const row = rows.find(isThis);
    return row && { row, isNew: row.id === post.id };
  });
  const fresh = rows.filter((row) => posts.some((post) => post.id === row.id));
  if (channel && fresh.length > 0) {
    const parents = new Set(fresh.map((row) => row.parent_id));
    const changed = rows.filter((row) => parents.has(row.id) && !fresh.includes(row));
    announce(services, toldChannel(channel), [
      ...fresh.map((row): Announced => ({ what: "posted", message: eventView(row, posts[0].id, tempId) })),
      ...changed.map((row): Announced => ({ what: "updated", message: messageView(row, null) })),
    ]);
  }
  return {
    posted: found.map((one) => one && { message: messageView(one.row, reader), isNew: one.isNew }),
    first: results.slice(0, first.length),
    last: results.slice(first.length + writes.length, -2),
  };
}

function eventView(row: MessageRow, firstId: string, tempId: string | undefined): ChannelMessage {
  const message = messageView(row, null);
  return row.id === firstId && tempId !== undefined ? { ...message, temp_id: tempId } : message;
}

/** The posts, what came before under their keys, and the heads of their threads. */
function whichOf(posts: readonly NewPost[]): SQL {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(posts.map((post) => post.id))}))`;
  const sent = posts.map((post) =>
    post.key === undefined
      ? sql``
      : sql` OR (m.channel_id = ${post.channelId} AND m.sender = ${senderOf(post.author)} AND m.key = ${post.key})`,
  );
  return sql`(m.id IN ${ids} OR m.id IN (SELECT a.parent_id FROM channel_messages a WHERE a.id IN ${ids})${sql.join(sent)})`;
}
