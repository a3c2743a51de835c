import { sql, type SQL } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { escapeLike } from "../../db/like.ts";
import { searchWords, type SearchWords } from "../../db/search-words.ts";
import { withFoldersIn } from "../folders/readable-folders.ts";
import { pageSize } from "./list-chats.ts";
import type { FoundChat } from "./schema.ts";
import { tagsOf, taggedWith } from "./tag-statements.ts";

/** Maximum number of hits, the newest. */
const maxHits = 2000;
/** So many are read first for each chat that is wanted; all of them only where these are in fewer chats. */
const firstHitsOfChat = 4;

/** Which chats are searched. */
interface SearchPlace {
  /** Only in this folder and in those in it. */
  folderId?: string | undefined;
  /** Only with this tag. */
  tag?: string | undefined;
}

/**
 * Chats with the words in their title come first, then those with the newest message that has them. Where the last word is long, messages
 * that have it as it is come before those that have a longer one. Not by BM25: it counts each word in all messages of all people, for
 * every search.
 */
const titleRank = -1e15;
const wholeRank = -1e12;
/** Of literal matches, whose rank is where they stand in the text. */
const titleBonus = 10;

interface FoundRow {
  id: string;
  title: string;
  updated_at: number;
  created_at: number;
  last_read_at: number | null;
  pinned: number;
  archived: number;
  folder_id: string | null;
  tags: string;
  snippet: string;
  message_id: string | null;
}

/**
 * The caller's chats, without archived ones, whose title or messages contain all words of the text and that have all
 * tags in it; 60 per page, each with the text around the best match. Tags alone find all of their chats, the most recently
 * changed first.
 */
export async function searchChats(
  ctx: Context,
  text: string,
  page: number,
  { folderId, tag }: SearchPlace = {},
): Promise<FoundChat[]> {
  const user = requireUser(ctx);
  const asked = readTags(text);
  const tags = [...asked.tags, ...(tag === undefined ? [] : [tag])];
  const words = searchWords(asked.text);
  const hasWords = words.match !== undefined || words.literal.length > 0;
  if (!hasWords && tags.length === 0) return [];
  const tagged = (chatId: SQL) => sql.join(tags.map((each) => sql` AND ${chatId} IN ${taggedWith(user.id, each)}`));
  const inFolder = folderId === undefined ? sql`` : sql` AND c.folder_id IN ${withFoldersIn(folderId)}`;
  const isShown = sql`c.user_id = ${user.id} AND c.archived = 0${inFolder}`;
  const searched: Searched = { userId: user.id, wanted: page * pageSize, tagged, isShown, ...words };
  const hits = !hasWords
    ? taggedHits(searched)
    : words.match === undefined
      ? literalHits(searched)
      : indexedHits(searched, words.match);
  const rows = await ctx.replica.all<FoundRow>(sql`
    WITH ${hits},
    best AS (SELECT chat_id, number, message_id, snippet, min(rank) AS rank FROM hits GROUP BY chat_id),
    page AS MATERIALIZED (
      SELECT c.id, c.title, c.updated_at, c.created_at, c.last_read_at, c.pinned, c.archived, c.folder_id, best.number, best.message_id, best.snippet, best.rank
      FROM best CROSS JOIN chats c ON c.id = best.chat_id
      WHERE ${isShown}
      ORDER BY best.rank, c.updated_at DESC, c.id DESC
      LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}),
    shown AS MATERIALIZED (${shownTexts(searched)})
    SELECT id, title, updated_at, created_at, last_read_at, pinned, archived, folder_id, ${tagsOf(sql`page.id`)} AS tags, message_id,
      coalesce((SELECT s.snippet FROM shown s WHERE s.number = page.number), page.snippet) AS snippet
    FROM page ORDER BY rank, updated_at DESC, id DESC`);
  return rows.map((row) => ({
    ...row,
    pinned: row.pinned === 1,
    archived: row.archived === 1,
    tags: JSON.parse(row.tags) as string[],
  }));
}

/** Takes `tag:name` out of the text, as Open WebUI's search has it; `_` in a name stands for a space too. */
function readTags(text: string): { text: string; tags: string[] } {
  const tags = [...text.matchAll(/(?<=^|\s)tag:(\S{1,100})/giu)].map(([, name]) => name!);
  return { text: tags.length === 0 ? text : text.replaceAll(/(?<=^|\s)tag:\S{1,100}/giu, " "), tags };
}

/** A condition over the id of a chat, to be added to others. */
type Condition = (chatId: SQL) => SQL;

/** Whose chats are searched, and for what. */
interface Searched extends SearchWords {
  userId: string;
  /** So many chats are wanted, with all pages before. */
  wanted: number;
  tagged: Condition;
  /** A condition over the chat as `c`: it may be in the answer. */
  isShown: SQL;
}

/** As tables of a statement, the last of them `hits`. With the plus, by the tag and not through all chats of the person. */
function taggedHits({ userId, tagged }: Searched): SQL {
  return sql`hits AS (SELECT c.id AS chat_id, NULL AS number, NULL AS message_id, 0 AS rank, '' AS snippet FROM chats c WHERE +c.user_id = ${userId}${tagged(sql`c.id`)})`;
}

/**
 * In the person's part of an index, by the last group of their id: the whole is five words there, which it would have to find beside
 * each other in each row. Hits of others with the same one have to be left out.
 */
const expression = (userId: string, column: string, match: string) =>
  `user_id : "${userId.split("-").at(-1)}" AND ${column} : (${match})`;
const inContent = (userId: string, match: string) => expression(userId, "content", match);

/** An expression that is looked up only if a condition holds: SQLite asks the index before it looks at any other condition. */
const onlyIf = (condition: SQL, wanted: string): SQL => sql`CASE WHEN ${condition} THEN ${wanted} ELSE '""' END`;

/**
 * Searches the person's part of the index; words that it cannot contain are compared afterwards. Tables of a statement, the last of
 * them `hits`. Titles come first in the answer, so each table is read only where those before it have too few chats.
 */
function indexedHits(searched: Searched, match: string): SQL {
  const { userId, wanted, whole, literal, tagged, isShown } = searched;
  const few = Math.min(maxHits, firstHitsOfChat * wanted);
  const rank = whole === undefined ? 0 : wholeRank;
  const tables: SQL[] = [sql`titles`];
  const chatIds: SQL[] = [sql`SELECT chat_id FROM titles`];
  const parts = [
    sql`titles AS MATERIALIZED (
      SELECT id AS chat_id, NULL AS number, NULL AS message_id, ${titleRank} AS rank, title AS snippet FROM (
        SELECT c.id, c.title, c.updated_at FROM chat_search JOIN chats c ON c.number = chat_search.rowid
        WHERE chat_search MATCH ${expression(userId, "title", match)} AND ${isShown}${like(sql`c.title`, literal)}${tagged(sql`c.id`)}
        ORDER BY chat_search.rowid DESC LIMIT ${maxHits})
      ORDER BY updated_at DESC, id DESC LIMIT ${wanted})`,
  ];
  const add = (name: SQL, words: string, base: number, most: number, condition: SQL): void => {
    const isShort = sql`${condition}(SELECT count(*) FROM (${sql.join(chatIds, sql` UNION `)})) < ${wanted}`;
    parts.push(
      sql`${name} AS MATERIALIZED (${messageHits(searched, onlyIf(isShort, inContent(userId, words)), base, most)})`,
    );
    tables.push(name);
    chatIds.push(sql`SELECT c.id FROM ${name} CROSS JOIN chats c ON c.id = ${name}.chat_id WHERE ${isShown}`);
  };
  add(sql`newest`, whole ?? match, rank, few, sql``);
  if (few < maxHits) add(sql`more`, whole ?? match, rank, maxHits, sql`(SELECT count(*) FROM newest) = ${few} AND `);
  if (whole !== undefined) add(sql`unfinished`, match, 0, maxHits, sql``);
  const all = tables.map((name) => sql`SELECT * FROM ${name}`);
  return sql`${sql.join(parts, sql`, `)}, hits AS (${sql.join(all, sql` UNION ALL `)})`;
}

/**
 * The newest messages that match.
 * @param rank of all of them; in it the newest come first
 */
function messageHits({ userId, literal, tagged }: Searched, match: SQL, rank: number, most: number): SQL {
  return sql`
    SELECT m.chat_id, m.number, m.id AS message_id, ${rank} - m.number AS rank, '' AS snippet
    FROM message_search JOIN messages m ON m.number = message_search.rowid
    WHERE message_search MATCH ${match} AND m.user_id = ${userId}${like(sql`m.content`, literal)}${tagged(sql`m.chat_id`)}
    ORDER BY message_search.rowid DESC LIMIT ${most}`;
}

/** The text around the match in each message of the page. */
function shownTexts({ userId, match, whole }: Searched): SQL {
  if (match === undefined) return sql`SELECT NULL AS number, NULL AS snippet`;
  if (whole === undefined) return snippets(userId, match, sql`TRUE`);
  return sql`
    ${snippets(userId, whole, sql`rank < ${wholeRank}`)}
    UNION ALL ${snippets(userId, match, sql`rank >= ${wholeRank}`)}`;
}

/**
 * Once more through the index, because a snippet costs more than all else of a hit. The page is named only once here: SQLite resolves
 * all tables of a statement again for each place that names them, which took longer than to search.
 * @param of which rows of the page
 */
function snippets(userId: string, match: string, of: SQL): SQL {
  return sql`
    SELECT message_search.rowid AS number, snippet(message_search, 1, '', '', '…', 20) AS snippet
    FROM (SELECT min(number) AS lowest, ',' || group_concat(number) || ',' AS numbers FROM page WHERE ${of}) CROSS JOIN message_search
    WHERE message_search MATCH ${onlyIf(sql`lowest IS NOT NULL`, inContent(userId, match))}
      AND message_search.rowid >= lowest AND instr(numbers, ',' || message_search.rowid || ',')`;
}

/** As `taggedHits`: compares the person's texts character by character; earlier matches are better. */
function literalHits({ userId, literal, tagged }: Searched): SQL {
  const at = (column: SQL) => sql`instr(lower(${column}), lower(${literal[0]}))`;
  const around = sql`substr(m.content, max(1, ${at(sql`m.content`)} - 40), 160)`;
  return sql`hits AS (
    SELECT * FROM (
      SELECT m.chat_id, m.number, m.id AS message_id, ${at(sql`m.content`)} AS rank,
        CASE WHEN ${at(sql`m.content`)} > 41 THEN '…' ELSE '' END || ${around} || CASE WHEN length(m.content) > ${at(sql`m.content`)} + 119 THEN '…' ELSE '' END AS snippet
      FROM chats c JOIN messages m ON m.chat_id = c.id
      WHERE c.user_id = ${userId} AND m.state <> 'streaming'${like(sql`m.content`, literal)}${tagged(sql`c.id`)}
      ORDER BY m.number DESC LIMIT ${maxHits}
    )
    UNION ALL
    SELECT * FROM (
      SELECT c.id AS chat_id, NULL AS number, NULL AS message_id, ${at(sql`c.title`)} - ${titleBonus} AS rank, c.title AS snippet
      FROM chats c WHERE c.user_id = ${userId}${like(sql`c.title`, literal)}${tagged(sql`c.id`)} LIMIT ${maxHits}
    ))`;
}

/** Escapes `%`, `_` and `\`. */
function like(column: SQL, words: readonly string[]): SQL {
  return sql.join(words.map((word) => sql` AND ${column} LIKE ${`%${escapeLike(word)}%`} ESCAPE '\\'`));
}
