import { sql, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { escapeLike } from "../../db/like.ts";
import { decodeCursor, encodeCursor } from "../../db/page.ts";
import { searchWords, type SearchWords } from "../../db/search-words.ts";
import { readableChannel } from "../../people/grants/readable-channel.ts";
import { findChannel, requireChannels } from "../find-channel.ts";
import type { channelKinds } from "../tables.ts";
import { cutSnippet } from "./cut-snippet.ts";
import { readsChannel } from "./find-message.ts";
import { messageView } from "./message-view.ts";
import type { SearchPage, SearchQuery } from "./schema.ts";
import { selectMessages } from "./select-messages.ts";

/** Messages that one page looks at; where it finds too few among them, the next page looks on. */
const maxScanned = 20_000;

interface Hit {
  number: number;
  channel_id: string;
  name: string;
  kind: (typeof channelKinds)[number];
}

/**
 * Messages that hold all words of the text, newest first, in the channels that the caller reads. A page may have fewer than it
 * could and still not be the last. Two round trips.
 * @throws AppError `forbidden`; `not_found` for a channel that the caller does not find; `bad_request` for a cursor
 */
export async function searchMessages(ctx: Context, query: SearchQuery): Promise<SearchPage> {
  const user = requireChannels(ctx);
  const [before] = query.cursor === undefined ? [Number.MAX_SAFE_INTEGER] : decodeCursor(query.cursor, 1);
  const channelId = query.channel_id;
  if (channelId !== undefined) await findChannel(ctx, channelId, "read");
  const words = searchWords(query.q);
  if (words.match === undefined && words.literal.length === 0) return { messages: [], next_cursor: null };
  const found = sql`
    FROM channel_search WHERE channel_search MATCH ${matchOf(words, channelId ?? user.organizationId)} AND rowid < ${before}
    ORDER BY rowid DESC`;
  const [hits, [last]] = await ctx.db.batch([
    ctx.db.all<Hit>(sql`
      SELECT h.number, channels.id AS channel_id, channels.name, channels.kind
      FROM (SELECT rowid AS number ${found} LIMIT ${maxScanned}) h JOIN channel_messages m ON m.number = h.number
        JOIN channels ON channels.id = m.channel_id
      WHERE ${readableChannel(user)} ${channelId === undefined ? sql`` : sql`AND channels.id = ${channelId}`} ${like(words)}
      ORDER BY h.number DESC LIMIT ${query.limit + 1}`),
    ctx.db.all<{ number: number }>(sql`SELECT rowid AS number ${found} LIMIT 1 OFFSET ${maxScanned - 1}`),
  ]);
  const page = hits.slice(0, query.limit);
  const next = hits.length > query.limit ? page.at(-1) : last;
  const rows = await selectMessages(
    ctx.db,
    user.id,
    sql`m.number IN (SELECT value FROM json_each(${JSON.stringify(page.map((hit) => hit.number))}))
      AND m.deleted_at IS NULL AND ${readsChannel(user, sql`m.channel_id`)} ORDER BY m.number DESC`,
  );
  const channels = new Map(page.map((hit) => [hit.channel_id, hit]));
  return {
    messages: rows.map((row) => {
      const { channel_id: id, name, kind } = channels.get(row.channel_id)!;
      const type = kind === "public" ? null : kind === "private" ? "group" : "dm";
      return {
        ...messageView(row, user.id),
        channel: { id, name, type },
        snippet: cutSnippet(row.content, query.q.normalize("NFC").split(/\s+/u).filter(Boolean)),
      };
    }),
    next_cursor: next ? encodeCursor([next.number]) : null,
  };
}

/** An FTS5 expression over one channel, or one organization; their ids stand in the index as one word each. */
function matchOf({ match }: SearchWords, placeId: string): string {
  const place = `place : "${placeId.replaceAll("-", "").replaceAll('"', '""')}"`;
  return match === undefined ? place : `${place} AND content : (${match})`;
}

/** Words that the index does not have are compared letter by letter. */
function like({ literal }: SearchWords): SQL {
  return sql.join(literal.map((word) => sql`AND m.content LIKE ${`%${escapeLike(word)}%`} ESCAPE '\\' `));
}
