import { sql, type SQL } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { escapeLike } from "../../db/like.ts";
import { searchWords, type SearchWords } from "../../db/search-words.ts";
import { withFoldersIn } from "../folders/readable-folders.ts";
import { pageSize } from "./list-chats.ts";
import type { FoundChat } from "./schema.ts";
import { tagsOf, taggedWith } from "./tag-statements.ts";

/** Maximum number of hits, the newest. Titles in the index are all looked at. */
const maxHits = 2000;
/** So many are read first for each chat that is wanted; all of them only where these are in fewer chats. */
const firstHitsOfChat = 4;
/** With more titles than these it is faster to go through the person's chats, the last changed first, until enough of them are found. */
const maxRareTitles = 300;

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

/** A chat in the answer of the database. */
interface Found extends Omit<FoundChat, "pinned" | "archived" | "snippet"> {
  pinned: number;
  archived: number;
  /** Of the message that matches best. */
  number: number | null;
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
  const hasWords = words.words.length > 0;
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
  // As two texts: each value that is on its own costs both sides more than the whole list.
  const [answer] = await ctx.replica.all<{ found: string; snippets: string }>(sql`
    WITH ${hits},
    best AS (SELECT chat_id, number, message_id, is_cut, min(rank) AS rank FROM hits GROUP BY chat_id),
    page AS (
      SELECT c.id, c.title, c.updated_at, c.created_at, c.last_read_at, c.pinned, c.archived, c.folder_id, best.number, best.message_id, best.is_cut, best.rank
      FROM best CROSS JOIN chats c ON c.id = best.chat_id
      WHERE ${isShown}
      ORDER BY best.rank, c.updated_at DESC, c.id DESC
      LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize})
    SELECT found, ${snippets(searched)} AS snippets FROM (
      SELECT min(number) AS lowest, ',' || group_concat(number) || ',' AS numbers, max(rank) < ${wholeRank} AS is_whole,
        '[' || coalesce(group_concat(number) FILTER (WHERE is_cut), '') || ']' AS cut,
        json_group_array(json_object(
          'id', id, 'title', title, 'updated_at', updated_at, 'created_at', created_at, 'last_read_at', last_read_at,
          'pinned', pinned, 'archived', archived, 'folder_id', folder_id, 'tags', json(${tagsOf(sql`page.id`)}),
          'message_id', message_id, 'number', number)) AS found
      FROM page)`);
  const around = JSON.parse(answer!.snippets) as Record<string, string>;
  return (JSON.parse(answer!.found) as Found[]).map(({ number, ...chat }) => ({
    ...chat,
    pinned: chat.pinned === 1,
    archived: chat.archived === 1,
    snippet: !hasWords ? "" : ((number === null ? undefined : around[number]) ?? chat.title),
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
  return sql`hits AS (SELECT c.id AS chat_id, NULL AS number, NULL AS message_id, 0 AS rank, 0 AS is_cut FROM chats c WHERE +c.user_id = ${userId}${tagged(sql`c.id`)})`;
}

/**
 * The indexes. Texts in scripts without spaces are in the second as well, with their pairs of letters; the first has whole runs of
 * these letters as words, so that it lacks other words which such letters stand right beside.
 */
const ofWords = { titles: sql`chat_search`, messages: sql`message_search` };
const ofPairs = { titles: sql`chat_pairs`, messages: sql`message_pairs` };

/**
 * In the person's part of an index, by the last group of their id: the whole is five words there, which it would have to find beside
 * each other in each row. Hits of others with the same one have to be left out.
 */
const expression = (userId: string, column: string, match: string) =>
  `user_id : "${userId.split("-").at(-1)}" AND ${column} : (${match})`;
const inContent = (userId: string, match: string) => expression(userId, "content", match);

/** An expression that is looked up only if a condition holds: SQLite asks the index before it looks at any other condition. */
const onlyIf = (condition: SQL, wanted: SQL | string): SQL => sql`CASE WHEN ${condition} THEN ${wanted} ELSE '""' END`;

/**
 * Searches the person's part of the index; words that it cannot contain are compared afterwards. Titles come first in the answer, so
 * messages are read only where these are too few, in steps. Tables of a statement: each step is one row, with what was `found`
 * before it and what it `added`, as lists in JSON. So it names only the step before it, and that only once: SQLite prepares a table
 * again for each place that names it, which took longer than to search.
 */
function indexedHits(searched: Searched, match: string): SQL {
  const { wanted, whole } = searched;
  const few = Math.min(maxHits, firstHitsOfChat * wanted);
  const rank = whole === undefined ? 0 : wholeRank;
  const parts = [titleHits(searched, match)];
  let last = sql`titles`;
  const step = (name: SQL, words: string, base: number, most: number, condition = sql``): void => {
    const asked = onlyIf(sql`${condition}${isShort(searched)}`, inContent(searched.userId, words));
    parts.push(
      sql`asked_${name} AS MATERIALIZED (SELECT found || added AS found, ${asked} AS asked FROM ${last})`,
      sql`${name} AS MATERIALIZED (SELECT found, (${messageHits(searched, base, most)}) AS added FROM asked_${name})`,
    );
    last = name;
  };
  step(sql`newest`, whole ?? match, rank, few);
  if (few < maxHits)
    step(sql`more`, whole ?? match, rank, maxHits, sql`json_array_length(${list(sql`added`)}) > ${few} AND `);
  if (whole !== undefined) step(sql`unfinished`, match, 0, maxHits);
  return sql`${sql.join(parts, sql`, `)}, hits AS (
    SELECT value ->> 0 AS chat_id, value ->> 1 AS number, value ->> 2 AS message_id, value ->> 3 AS rank, value ->> 4 AS is_cut
    FROM ${last} CROSS JOIN json_each(${list(sql`found || added`)}) WHERE value IS NOT NULL)`;
}

/** What steps find, each with a comma behind it, as JSON. The null at the end is what follows the last comma. */
const list = (found: SQL) => sql`'[' || ${found} || 'null]'`;
const item = (...values: SQL[]) => sql`coalesce(group_concat(json_array(${sql.join(values, sql`, `)}) || ',', ''), '')`;

/** Condition over a step: it and those before it have found too few chats. */
function isShort({ wanted, isShown }: Searched): SQL {
  return sql`(SELECT count(DISTINCT c.id) FROM json_each(${list(sql`found || added`)}) CROSS JOIN chats c ON c.id = value ->> 0 WHERE ${isShown}) < ${wanted}`;
}

/** The first step: chats whose title matches, the last changed first. Which way is faster depends on how many there are. */
function titleHits({ userId, wanted, words, literal, isUnspaced, tagged, isShown }: Searched, match: string): SQL {
  const index = (isUnspaced ? ofPairs : ofWords).titles;
  const inTitle = expression(userId, "title", match);
  const isWanted = sql`${isShown}${like(sql`c.title`, literal)}${tagged(sql`c.id`)}`;
  const others = isUnspaced
    ? sql`
        SELECT c.id FROM unpaired_texts u CROSS JOIN chats c ON c.number = u.number
        WHERE u.source = 'chats' AND u.owner = ${userId} AND ${isWanted}${like(sql`c.title`, words)}`
    : sql`
        SELECT * FROM (
          SELECT c.id FROM chat_pairs CROSS JOIN chats c ON c.number = chat_pairs.rowid
          WHERE chat_pairs MATCH ${inTitle} AND ${isWanted} ORDER BY chat_pairs.rowid DESC LIMIT ${maxHits})`;
  return sql`
    common AS MATERIALIZED (
      SELECT count(*) > ${maxRareTitles} AS is_common
      FROM (SELECT 1 FROM ${index} WHERE ${index} MATCH ${inTitle} LIMIT ${maxRareTitles + 1})),
    titles AS MATERIALIZED (
      SELECT ${item(sql`id`, sql`NULL`, sql`NULL`, sql`${titleRank}`, sql`0`)} AS found, '' AS added FROM (
        SELECT c.id FROM common CROSS JOIN ${index} CROSS JOIN chats c ON c.number = ${index}.rowid
        WHERE ${index} MATCH ${onlyIf(sql`NOT is_common`, inTitle)} AND ${isWanted}
        UNION ALL SELECT * FROM (
          SELECT c.id FROM chats c
          WHERE ${isWanted} AND c.number IN (SELECT rowid FROM ${index} WHERE ${index} MATCH ${inTitle})
          ORDER BY c.updated_at DESC, c.id DESC LIMIT ${wanted} * (SELECT is_common FROM common))
        UNION ALL ${others}))`;
}

/**
 * The newest messages with what is `asked`, as one text.
 * @param rank of all of them; in it the newest come first
 */
function messageHits({ userId, words, literal, isUnspaced, tagged }: Searched, rank: number, most: number): SQL {
  const isWanted = sql`m.user_id = ${userId}${like(sql`m.content`, literal)}${tagged(sql`m.chat_id`)}`;
  const inIndex = (index: SQL, isCut: SQL) => sql`
    SELECT * FROM (
      SELECT m.chat_id, m.number, m.id, ${isCut} AS is_cut FROM ${index} JOIN messages m ON m.number = ${index}.rowid
      WHERE ${index} MATCH asked AND ${isWanted} ORDER BY ${index}.rowid DESC LIMIT ${most})`;
  const others = isUnspaced
    ? sql`
    SELECT m.chat_id, m.number, m.id, 1 FROM unpaired_texts u CROSS JOIN messages m ON m.number = u.number
    WHERE u.source = 'messages' AND u.owner = ${userId} AND ${isWanted}${like(sql`m.content`, words)}`
    : inIndex(ofWords.messages, sql`0`);
  return sql`
    SELECT ${item(sql`chat_id`, sql`number`, sql`id`, sql`${rank} - number`, sql`is_cut`)} FROM (
      ${inIndex(ofPairs.messages, sql`1`)} UNION ALL ${others} ORDER BY number DESC LIMIT ${most})`;
}

/**
 * SQL over the page: the texts around the matches by the numbers of their messages. Once more through the index, because a snippet
 * costs more than all else of a hit; `cut` are those which that index does not find.
 */
function snippets({ userId, words, match, whole, literal, isUnspaced }: Searched): SQL {
  const at = sql`instr(lower(m.content), lower(${literal[0] ?? words[0] ?? ""}))`;
  const around = sql`
    SELECT number, CASE WHEN start > 1 THEN '…' ELSE '' END || substr(content, start, 160)
      || CASE WHEN length(content) >= start + 160 THEN '…' ELSE '' END AS snippet
    FROM (SELECT m.number, m.content, max(1, ${at} - 40) AS start FROM json_each(cut) CROSS JOIN messages m ON m.number = value)`;
  if (match === undefined || isUnspaced) return sql`(SELECT json_group_object(number, snippet) FROM (${around}))`;
  const [short, long] = [whole ?? match, match].map((asked) => inContent(userId, asked));
  const wanted = sql`CASE WHEN is_whole THEN ${short} ELSE ${long} END`;
  return sql`(
    SELECT json_group_object(number, snippet) FROM (
      SELECT * FROM (
        SELECT message_search.rowid AS number, snippet(message_search, 1, '', '', '…', 20) AS snippet FROM message_search
        WHERE message_search MATCH ${onlyIf(sql`lowest IS NOT NULL`, wanted)}
          AND message_search.rowid >= lowest AND instr(numbers, ',' || message_search.rowid || ',')
        LIMIT ${pageSize})
      UNION ALL ${around}))`;
}

/** As `taggedHits`: compares the person's texts character by character; earlier matches are better. */
function literalHits({ userId, literal, tagged }: Searched): SQL {
  const at = (column: SQL) => sql`instr(lower(${column}), lower(${literal[0]}))`;
  return sql`hits AS (
    SELECT * FROM (
      SELECT m.chat_id, m.number, m.id AS message_id, ${at(sql`m.content`)} AS rank, 1 AS is_cut
      FROM chats c JOIN messages m ON m.chat_id = c.id
      WHERE c.user_id = ${userId} AND m.state <> 'streaming'${like(sql`m.content`, literal)}${tagged(sql`c.id`)}
      ORDER BY m.number DESC LIMIT ${maxHits}
    )
    UNION ALL
    SELECT * FROM (
      SELECT c.id AS chat_id, NULL AS number, NULL AS message_id, ${at(sql`c.title`)} - ${titleBonus} AS rank, 0 AS is_cut
      FROM chats c WHERE c.user_id = ${userId}${like(sql`c.title`, literal)}${tagged(sql`c.id`)} LIMIT ${maxHits}
    ))`;
}

/** Escapes `%`, `_` and `\`. */
function like(column: SQL, words: readonly string[]): SQL {
  return sql.join(words.map((word) => sql` AND ${column} LIKE ${`%${escapeLike(word)}%`} ESCAPE '\\'`));
}
