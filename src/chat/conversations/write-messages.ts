import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { requireStorable } from "../../db/value-size.ts";
import { cleanJson } from "../../lib/clean-text.ts";
import { itemKeys } from "../events/item-keys.ts";
import type { TreePlan } from "./plan-tree.ts";
import type { MessageChange } from "./read-stored-message.ts";

/**
 * Statements for batches. Each takes its messages as one JSON document, so that hundreds are one statement; each writes
 * only into a chat of the given person.
 */
export interface Owner {
  chatId: string;
  userId: string;
}

/** What one transaction writes at most, in characters; one message may be larger. Between two of them others write. */
export const maxSlice = 200_000;
/** What a message costs besides its text, in characters. */
export const messageCost = 400;

/** The items in their order, in slices that are not larger than one transaction may write. */
export function inSlices<T>(items: readonly T[], sizeOf: (item: T) => number): T[][] {
  const slices: T[][] = [];
  let total = Infinity;
  for (const item of items) {
    const size = sizeOf(item);
    total += size;
    const last = slices.at(-1);
    if (last && total <= maxSlice) {
      last.push(item);
    } else {
      slices.push([item]);
      total = size;
    }
  }
  return slices;
}

/** Lists of JSON values in slices, each without its brackets. */
function listsOf(texts: readonly string[]): string[] {
  return inSlices(texts, (text) => text.length + messageCost).map((slice) => slice.join(","));
}

/**
 * Messages as JSON, in slices.
 * @throws AppError `payload_too_large` for one that cannot be stored
 */
export function messageLists(rows: readonly (Record<string, unknown> & { i: string })[]): string[] {
  const texts = rows.map((each) => {
    const text = cleanJson(each);
    requireStorable(`The message ${each.i}`, text);
    return text;
  });
  return listsOf(texts);
}

/** New messages of one chat, parents before children, in slices: without its brackets, so that several chats are one list. @throws as `messageLists` */
export function newMessages(chatId: string, inserts: TreePlan["inserts"]): string[] {
  return messageLists(inserts.map(({ change, parentId }) => ({ ...row(change), p: parentId, h: chatId })));
}

/** Changes for `updateMessages`, in slices. @throws as `messageLists` */
export function changedMessages(changes: readonly MessageChange[]): string[] {
  return messageLists(changes.map(row));
}

/** Moves for `moveMessages`, in slices. */
export function movedMessages(moves: TreePlan["moves"]): string[] {
  return listsOf(moves.map(({ id, parentId, seen }) => cleanJson([id, parentId, seen])));
}

/**
 * Inserts new messages into chats of one person; ids that exist by then stay as they are.
 * @param lists from `newMessages`
 */
export function insertMessages(db: Database, userId: string, lists: readonly string[], now: number) {
  return db.run(sql`
    INSERT INTO messages (chat_id, user_id, id, parent_id, role, content, parts, reasoning, model, state, error, usage, extra, created_at, updated_at)
    SELECT c.id, c.user_id, m.value->>'i', m.value->>'p', coalesce(m.value->>'r', 'user'), coalesce(m.value->>'c', ''), m.value->'k',
      coalesce(m.value->>'n', ''), m.value->>'m', coalesce(m.value->>'s', 'done'), m.value->'e', m.value->'u',
      ${shallowMerge(sql`'{}'`, sql`m.value->'x'`)}, coalesce(m.value->>'t', ${now}), ${now}
    FROM json_each(${`[${lists.join(",")}]`}) m CROSS JOIN chats c ON c.id = m.value->>'h' AND c.user_id = ${userId}
    ORDER BY m.key
    ON CONFLICT (chat_id, id) DO NOTHING`);
}

/**
 * Changes stored messages field by field. What a run writes or wrote belongs to the run: a save during the run, or from
 * a client that has only seen the beginning, does not change it, nor lists that events have added to. Only content that
 * is not a prefix of the finished answer counts as an edit by a person.
 * @param list from `changedMessages`
 */
export function updateMessages(db: Database, owner: Owner, list: string, now: number) {
  const mine = sql`messages.run_id IS NULL`;
  const isEdit = sql`n.content IS NOT NULL AND (${mine} OR (messages.state <> 'streaming' AND substr(messages.content, 1, length(n.content)) <> n.content))`;
  const own = Object.entries(itemKeys).map(
    ([kind, key]) =>
      sql`CASE WHEN EXISTS (SELECT 1 FROM message_items i WHERE i.chat_id = messages.chat_id AND i.message_id = messages.id AND i.kind = ${kind}) THEN ${`$.${key}`} ELSE '$.lastItem' END`,
  );
  const isDone = sql`CASE WHEN ${mine} THEN '$.lastItem' ELSE '$.done' END`;
  const extra = sql`json_remove(n.extra, ${isDone}, ${sql.join(own, sql`, `)})`;
  // The list carries the chat, so that each message is looked up by its key: with the chat as a constant, sqld reads all
  // messages of the chat, and the list once for each of them.
  return db.run(sql`
    WITH n AS MATERIALIZED (
      SELECT ${owner.chatId} AS chat_id, value->>'i' AS id, value->>'r' AS role, value->>'c' AS content, value->'k' AS parts,
        value->>'n' AS reasoning, value->>'m' AS model, value->>'s' AS state, value->'e' AS error, value->'u' AS usage, value->'x' AS extra
      FROM json_each(${`[${list}]`}) given
    )
    UPDATE messages SET
      role = coalesce(n.role, messages.role),
      content = CASE WHEN ${isEdit} THEN n.content ELSE messages.content END,
      parts = CASE WHEN ${isEdit} THEN n.parts ELSE messages.parts END,
      reasoning = CASE WHEN ${mine} THEN coalesce(n.reasoning, messages.reasoning) ELSE messages.reasoning END,
      model = CASE WHEN ${mine} THEN coalesce(n.model, messages.model) ELSE coalesce(messages.model, n.model) END,
      state = CASE WHEN ${mine} THEN coalesce(n.state, messages.state) ELSE messages.state END,
      error = CASE WHEN ${mine} AND n.error IS NOT NULL THEN nullif(n.error, 'null') ELSE messages.error END,
      usage = CASE WHEN ${mine} THEN coalesce(n.usage, messages.usage) ELSE coalesce(messages.usage, n.usage) END,
      extra = ${shallowMerge(sql`messages.extra`, extra)},
      updated_at = CASE messages.state WHEN 'streaming' THEN messages.updated_at ELSE ${now} END
    FROM n
    WHERE messages.chat_id = n.chat_id AND messages.id = n.id AND messages.user_id = ${owner.userId} AND (
      (n.role IS NOT NULL AND n.role <> messages.role) OR (n.content IS NOT NULL AND n.content <> messages.content) OR
      (n.parts IS NOT messages.parts AND n.content IS NOT NULL) OR (n.reasoning IS NOT NULL AND n.reasoning <> messages.reasoning) OR
      (n.model IS NOT NULL AND n.model IS NOT messages.model) OR (n.state IS NOT NULL AND n.state <> messages.state) OR
      (n.error IS NOT NULL AND nullif(n.error, 'null') IS NOT messages.error) OR (n.usage IS NOT NULL AND n.usage IS NOT messages.usage) OR
      EXISTS (SELECT 1 FROM json_each(n.extra) new LEFT JOIN json_each(messages.extra) old ON old.key = new.key WHERE new.value IS NOT old.value)
    )`);
}

/**
 * Gives stored messages other parents: those that are still where the plan saw them, unless the new parent was deleted.
 * If together with moves by others this closes a loop, all go back: what is below no root any more is in a loop.
 * @param list from `movedMessages`
 */
export function moveMessages(db: Database, owner: Owner, list: string) {
  const { chatId, userId } = owner;
  const moved = sql`n AS MATERIALIZED (
      SELECT ${chatId} AS chat_id, value->>0 AS id, value->>1 AS parent_id, value->>2 AS seen FROM json_each(${`[${list}]`})
    )`;
  const found = sql`messages.chat_id = n.chat_id AND messages.id = n.id AND messages.user_id = ${userId}`;
  return [
    db.run(sql`
      WITH ${moved}
      UPDATE messages SET parent_id = n.parent_id FROM n
      WHERE ${found} AND messages.parent_id IS n.seen
        AND (n.parent_id IS NULL OR EXISTS (SELECT 1 FROM messages p WHERE p.chat_id = n.chat_id AND p.id = n.parent_id))`),
    db.run(sql`
      WITH RECURSIVE reached(id) AS (
        SELECT id FROM messages WHERE chat_id = ${chatId} AND parent_id IS NULL
        UNION ALL SELECT m.id FROM reached CROSS JOIN messages m ON m.chat_id = ${chatId} AND m.parent_id = reached.id
      ), ${moved}
      UPDATE messages SET parent_id = n.seen FROM n
      WHERE ${found} AND messages.parent_id IS n.parent_id
        AND (SELECT count(*) FROM reached) < (SELECT count(*) FROM messages m WHERE m.chat_id = ${chatId})`),
  ];
}

/** Deletes messages of one chat. What is below them must be gone, or be among them. */
export function deleteMessages(db: Database, owner: Owner, ids: readonly string[]) {
  return db.run(sql`
    DELETE FROM messages WHERE chat_id = ${owner.chatId} AND user_id = ${owner.userId}
      AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

/** JSON object `base` with the keys of `over` replacing its own (not recursive); null removes a key. */
export function shallowMerge(base: SQL, over: SQL): SQL {
  return sql`(
    SELECT json_group_object(key, CASE type WHEN 'object' THEN json(value) WHEN 'array' THEN json(value) WHEN 'true' THEN json('true') WHEN 'false' THEN json('false') ELSE value END)
    FROM (
      SELECT key, value, type FROM json_each(${base}) WHERE key NOT IN (SELECT key FROM json_each(${over}))
      UNION ALL SELECT key, value, type FROM json_each(${over}) WHERE type <> 'null'
    ))`;
}

/** Short names, because the statement repeats them for every message. */
function row(change: MessageChange): Record<string, unknown> & { i: string } {
  return {
    i: change.id,
    r: change.role,
    c: change.content,
    k: change.parts ?? undefined,
    n: change.reasoning,
    m: change.model,
    s: change.state,
    e: change.error,
    u: change.usage,
    x: change.extra,
    t: change.createdAt,
  };
}
