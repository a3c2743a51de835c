import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Services } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { maxValueBytes } from "../../db/value-size.ts";
import { cleanJson, cleanText } from "../../lib/clean-text.ts";
import { addTags, isOtherTag, removeTagsWhere } from "../conversations/tag-statements.ts";
import { shallowMerge } from "../conversations/write-messages.ts";
import type { Emitted, EventPlace, Kept } from "./chat-event.ts";
import { itemKeys } from "./item-keys.ts";

type Writing = Pick<Services, "db" | "now">;

/** Maximum number of items of one kind per message. */
const maxItems = 2000;
/** Maximum text that events can write into a message, in characters; it is one value. */
export const maxTextLength = maxValueBytes - 500_000;
/** Maximum size of a message's items of one kind, in characters. */
const maxItemsLength = 16_000_000;

/** `number` of the last item that was stored. */
export interface StoredEvent {
  outcome: Emitted;
  number?: number;
}

/**
 * Stores an event in one batch; each statement writes only into a chat of the person, and appends, so that concurrent
 * events are not lost.
 */
export async function storeEvent(
  services: Writing,
  userId: string,
  place: EventPlace,
  kept: Exclude<Kept, null>,
): Promise<StoredEvent> {
  const { chatId, messageId } = place;
  const isThere =
    messageId === undefined || isOfChat(kept)
      ? sql`SELECT 1 FROM chats WHERE id = ${chatId} AND user_id = ${userId}`
      : sql`SELECT 1 FROM messages WHERE chat_id = ${chatId} AND id = ${messageId} AND user_id = ${userId}`;
  const statements = statementsOf(services, userId, place, kept);
  const results = await runBatch(services.db, [...statements, services.db.all(isThere)]);
  if ((results.at(-1) as unknown[]).length === 0) return { outcome: "missing" };
  const written = results[0] as { number?: number }[];
  if (written.length === 0 && !(kept.what === "items" && kept.items.length === 0)) return { outcome: "full" };
  const numbers = written.map((row) => row.number ?? 0).filter((number) => number > 0);
  const isNew = numbers.length > 0 && kept.what === "items" && kept.mode !== "put";
  return { outcome: "stored", ...(isNew ? { number: Math.max(...numbers) } : {}) };
}

function isOfChat(kept: Exclude<Kept, null>): boolean {
  return kept.what === "title" || kept.what === "tags";
}

/** The first statement returns a row for each row that it writes. */
function statementsOf(
  services: Writing,
  userId: string,
  { chatId, messageId }: EventPlace,
  kept: Exclude<Kept, null>,
): BatchItem<"sqlite">[] {
  const { db } = services;
  const now = services.now();
  const chat = sql`id = ${chatId} AND user_id = ${userId}`;
  const message = sql`chat_id = ${chatId} AND id = ${messageId} AND user_id = ${userId}`;
  const change = (set: SQL, condition: SQL = sql`1`) =>
    db.all(sql`UPDATE messages SET ${set} WHERE ${message} AND ${condition} RETURNING id`);
  // That of a running answer is its run's sign of life.
  const touched = sql`updated_at = CASE state WHEN 'streaming' THEN updated_at ELSE ${now} END`;
  switch (kept.what) {
    case "text": {
      const text = cleanText(kept.content);
      if (kept.mode === "replace") return [change(sql`content = ${text}, parts = NULL, ${touched}`)];
      const part = sql`json_object('type', 'text', 'text', ${text})`;
      const parts = sql`CASE WHEN parts IS NULL THEN NULL ELSE json_insert(parts, '$[#]', ${part}) END`;
      return [
        change(
          sql`content = content || ${text}, parts = ${parts}, ${touched}`,
          sql`length(content) + ${text.length} <= ${maxTextLength}`,
        ),
      ];
    }
    case "items":
      return itemStatements(db, userId, { chatId, messageId: messageId! }, kept, now);
    case "keys":
      return [change(sql`extra = ${shallowMerge(sql`extra`, sql`${cleanJson(kept.keys)}`)}`)];
    case "error":
      return [change(sql`error = ${cleanJson(kept.error)}`)];
    case "usage":
      return [change(sql`usage = ${cleanJson(kept.usage)}`)];
    case "title":
      // A model that names chats later on does not write over it.
      return [
        db.all(sql`UPDATE chats SET title = ${cleanText(kept.title)}, title_chosen = 1 WHERE ${chat} RETURNING id`),
      ];
    case "tags":
      return [
        db.all(sql`UPDATE chats SET id = id WHERE ${chat} RETURNING id`),
        removeTagsWhere(db, { chatId, userId }, isOtherTag(kept.tags)),
        addTags(db, { chatId, userId }, kept.tags),
      ];
  }
}

function itemStatements(
  db: Writing["db"],
  userId: string,
  { chatId, messageId }: { chatId: string; messageId: string },
  kept: Extract<Kept, { what: "items" }>,
  now: number,
): BatchItem<"sqlite">[] {
  const items = cleanJson(kept.items);
  const name = kept.mode === "put" ? kept.name : null;
  const those = sql`chat_id = ${chatId} AND message_id = ${messageId} AND kind = ${kept.kind}`;
  const room =
    kept.mode === "set"
      ? sql`1`
      : sql`(SELECT count(*) + ${kept.items.length} <= ${maxItems} AND total(length(data)) + ${items.length} <= ${maxItemsLength} FROM message_items WHERE ${those})`;
  // No run will end what is left open in a message that has ended.
  const stored =
    kept.kind === "status"
      ? sql`CASE m.state WHEN 'streaming' THEN i.value ELSE json_set(i.value, '$.done', json('true')) END`
      : sql`i.value`;
  const insert = db.all(sql`
    INSERT INTO message_items (chat_id, message_id, kind, name, data, created_at)
    SELECT m.chat_id, m.id, ${kept.kind}, ${name}, ${stored}, ${now}
    FROM json_each(${items}) i CROSS JOIN messages m
    WHERE m.chat_id = ${chatId} AND m.id = ${messageId} AND m.user_id = ${userId} AND ${room} ORDER BY i.key
    ON CONFLICT (chat_id, message_id, kind, name) DO UPDATE SET data = excluded.data
    RETURNING number`);
  if (kept.mode !== "set") return [insert];
  const isMine = sql`EXISTS (SELECT 1 FROM messages WHERE chat_id = ${chatId} AND id = ${messageId} AND user_id = ${userId})`;
  return [
    insert,
    // After the new ones are in, so that no number is given twice.
    db.run(
      sql`DELETE FROM message_items WHERE ${those} AND ${isMine} AND number NOT IN (SELECT number FROM message_items WHERE ${those} ORDER BY number DESC LIMIT ${kept.items.length})`,
    ),
    db.run(
      sql`UPDATE messages SET extra = json_remove(extra, ${`$.${itemKeys[kept.kind]}`}) WHERE chat_id = ${chatId} AND id = ${messageId} AND user_id = ${userId}`,
    ),
  ];
}
