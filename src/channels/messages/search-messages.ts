import { sql, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { escapeLike } from "../../db/like.ts";
import { decodeCursor, encodeCursor } from "../../db/page.ts";
import { searchWords, type SearchWords } from "../../db/search-words.ts";
import { readableChannel } from "../../people/grants/readable-channel.ts";
import { findChannel, requireChannels } from "../find-channel.ts";
import type { channelKinds } from "../tables.ts";
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
 * Messages that contain all words of the text, newest first, in the channels that the caller can read. A page may be
 * short without being the last. Two round trips.
 * @throws AppError `forbidden`; `not_found` for a channel that the caller cannot see; `bad_request` for an invalid
 *   cursor
 */
export async function searchMessages(ctx: Context, query: SearchQuery): Promise<SearchPage> {
  const user = requireChannels(ctx);
  const [before = Number.MAX_SAFE_INTEGER] = query.cursor === undefined ? [] : decodeCursor(query.cursor, 1);
  const channelId = query.channel_id;
  const channel = channelId === undefined ? undefined : await findChannel(ctx, channelId, "read");
  const words = searchWords(query.q);
  if (words.words.length === 0) return { messages: [], next_cursor: null };
  const match = matchOf(words, channelId ?? user.organizationId);
  const inIndex = (index: SQL) => sql`
    SELECT * FROM (
      SELECT rowid AS number FROM ${index} WHERE ${index} MATCH ${match} AND rowid < ${before}
      ORDER BY rowid DESC LIMIT ${maxScanned})`;
  const others = words.isUnspaced
    ? waiting(channel?.organizationId ?? user.organizationId, words, before)
    : inIndex(sql`channel_search`);
  const found =
    words.match === undefined
      ? inIndex(sql`channel_search`)
      : sql`${inIndex(sql`channel_pairs`)} UNION ${others} ORDER BY number DESC LIMIT ${maxScanned}`;
  const [hits, [last]] = await ctx.db.batch([
    ctx.db.all<Hit>(sql`
      SELECT h.number, channels.id AS channel_id, channels.name, channels.kind
      FROM (${found}) h JOIN channel_messages m ON m.number = h.number
        JOIN channels ON channels.id = m.channel_id
      WHERE ${readableChannel(user)} ${channelId === undefined ? sql`` : sql`AND channels.id = ${channelId}`} ${like(words.literal)}
      ORDER BY h.number DESC LIMIT ${query.limit + 1}`),
    ctx.db.all<{ number: number }>(sql`SELECT number FROM (${found}) LIMIT 1 OFFSET ${maxScanned - 1}`),
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

/** Texts in scripts without spaces that are not in the index yet. */
function waiting(organizationId: string, { words }: SearchWords, before: string | number): SQL {
  return sql`
    SELECT * FROM (
      SELECT u.number FROM unpaired_texts u CROSS JOIN channel_messages m ON m.number = u.number
      WHERE u.source = 'channel_messages' AND u.owner = ${organizationId} AND u.number < ${before} ${like(words)}
      ORDER BY u.number DESC LIMIT ${maxScanned})`;
}

/** Words that the index does not have, or has in pieces, are compared letter by letter. */
function like(words: readonly string[]): SQL {
  return sql.join(words.map((word) => sql`AND m.content LIKE ${`%${escapeLike(word)}%`} ESCAPE '\\' `));
}

/** Characters before the first word that fits, and altogether. */
const lead = 40;
const maxLength = 160;

/** What stands around the first of the words in a text, on one line; its beginning where none of them is there letter by letter. */
function cutSnippet(content: string, words: readonly string[]): string {
  const text = content.replaceAll(/\s+/gu, " ").trim();
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at !== -1);
  const from = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - lead);
  const piece = text.slice(from, from + maxLength);
  // A character of two units at an end is left away rather than cut in half.
  const whole = piece.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return `${from > 0 ? "…" : ""}${whole}${from + maxLength < text.length ? "…" : ""}`;
}
