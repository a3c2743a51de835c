import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { cleanJson } from "../../lib/clean-text.ts";
import { itemKeys } from "../events/item-keys.ts";
import type { TreePlan } from "./plan-tree.ts";
import type { MessageChange } from "./read-stored-message.ts";

/**
 * Statements for batches. Each takes all messages as one JSON document, so that a chat with thousands of messages is
 * one statement; each writes only into a chat of the given person.
 */
export interface Owner {
  chatId: string;
  userId: string;
}

/** New messages of one chat as JSON, without its brackets: those of several chats are one list. */
export function newMessages(chatId: string, inserts: TreePlan["inserts"]): string {
  return cleanJson(inserts.map(({ change, parentId }) => ({ ...row(change), p: parentId, h: chatId }))).slice(1, -1);
}

/**
 * Inserts new messages into chats of one person; ids that exist by then stay as they are.
 * @param lists from `newMessages`, one for each chat
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
 */
export function updateMessages(db: Database, owner: Owner, changes: readonly MessageChange[], now: number) {
  const mine = sql`messages.run_id IS NULL`;
  const isEdit = sql`n.content IS NOT NULL AND (${mine} OR (messages.state <> 'streaming' AND substr(messages.content, 1, length(n.content)) <> n.content))`;
  const own = Object.entries(itemKeys).map(
    ([kind, key]) =>
      sql`CASE WHEN EXISTS (SELECT 1 FROM message_items i WHERE i.chat_id = messages.chat_id AND i.message_id = messages.id AND i.kind = ${kind}) THEN ${`$.${key}`} ELSE '$.lastItem' END`,
  );
  const isDone = sql`CASE WHEN ${mine} THEN '$.lastItem' ELSE '$.done' END`;
  const extra = sql`json_remove(n.extra, ${isDone}, ${sql.join(own, sql`, `)})`;
  return db.run(sql`
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
    FROM (
      SELECT value->>'i' AS id, value->>'r' AS role, value->>'c' AS content, value->'k' AS parts, value->>'n' AS reasoning,
        value->>'m' AS model, value->>'s' AS state, value->'e' AS error, value->'u' AS usage, value->'x' AS extra
      FROM json_each(${cleanJson(changes.map(row))})
    ) n
    WHERE messages.chat_id = ${owner.chatId} AND messages.user_id = ${owner.userId} AND messages.id = n.id AND (
      (n.role IS NOT NULL AND n.role <> messages.role) OR (n.content IS NOT NULL AND n.content <> messages.content) OR
      (n.parts IS NOT messages.parts AND n.content IS NOT NULL) OR (n.reasoning IS NOT NULL AND n.reasoning <> messages.reasoning) OR
      (n.model IS NOT NULL AND n.model IS NOT messages.model) OR (n.state IS NOT NULL AND n.state <> messages.state) OR
      (n.error IS NOT NULL AND nullif(n.error, 'null') IS NOT messages.error) OR (n.usage IS NOT NULL AND n.usage IS NOT messages.usage) OR
      EXISTS (SELECT 1 FROM json_each(n.extra) new LEFT JOIN json_each(messages.extra) old ON old.key = new.key WHERE new.value IS NOT old.value)
    )`);
}

/** Gives a stored message another parent, unless that parent is now below it or was deleted. */
export function moveMessage(db: Database, owner: Owner, id: string, parentId: string | null) {
  return db.run(sql`
    UPDATE messages SET parent_id = ${parentId}
    WHERE chat_id = ${owner.chatId} AND user_id = ${owner.userId} AND id = ${id}
      AND (${parentId} IS NULL OR ${parentId} IN (SELECT id FROM messages WHERE chat_id = ${owner.chatId}))
      AND NOT EXISTS (
        WITH RECURSIVE up(id) AS (
          SELECT ${parentId}
          UNION SELECT m.parent_id FROM up JOIN messages m ON m.chat_id = ${owner.chatId} AND m.id = up.id WHERE m.parent_id IS NOT NULL
        )
        SELECT 1 FROM up WHERE up.id = ${id}
      )`);
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
function row(change: MessageChange): Record<string, unknown> {
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
