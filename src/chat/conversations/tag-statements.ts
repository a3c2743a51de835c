import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { cleanJson } from "../../lib/clean-text.ts";

/** Maximum number of tags of a chat. */
export const maxTags = 100;

/** Upper and lower case of A to Z make no other tag. */
const same = sql`COLLATE NOCASE`;

/** SQL for use after IN: the ids of the person's chats with a tag, given by its name or its id. */
export function taggedWith(userId: string, tag: string): SQL {
  return sql`(SELECT t.chat_id FROM chat_tags t WHERE t.user_id = ${userId} AND t.name ${same} IN (${tag}, ${tag.replaceAll("_", " ")}))`;
}

/** SQL: the names of the chat's tags as a JSON list. @param chatId a column */
export function tagsOf(chatId: SQL): SQL<string> {
  return sql<string>`(SELECT json_group_array(name) FROM (SELECT t.name FROM chat_tags t WHERE t.chat_id = ${chatId} ORDER BY t.name))`;
}

/** Statement: the names of the chat's tags. */
export function selectTags(db: Database, chatId: string) {
  return db.all<{ name: string }>(sql`SELECT name FROM chat_tags WHERE chat_id = ${chatId} ORDER BY name`);
}

interface TaggedChat {
  chatId: string;
  userId: string;
}

/**
 * Statement: adds tags to a chat of the person, up to the most that it may have, and returns a row for each. A tag that
 * the person has on another chat is written as it is there.
 * @param condition over the chat as `c`
 */
export function addTags(
  db: Database,
  { chatId, userId }: TaggedChat,
  names: readonly string[],
  condition: SQL = sql`TRUE`,
) {
  return db.all<{ name: string }>(sql`
    INSERT INTO chat_tags (chat_id, name, user_id)
    SELECT c.id, coalesce((SELECT o.name FROM chat_tags o WHERE o.user_id = c.user_id AND o.name = n.value ${same} LIMIT 1), n.value), c.user_id
    FROM json_each(${cleanJson(distinctTags(names))}) n CROSS JOIN chats c
    WHERE c.id = ${chatId} AND c.user_id = ${userId} AND ${condition}
      AND NOT EXISTS (SELECT 1 FROM chat_tags m WHERE m.chat_id = c.id AND m.name = n.value ${same})
      AND (SELECT count(*) FROM chat_tags m WHERE m.chat_id = c.id) + n.key < ${maxTags}
    ORDER BY n.key
    ON CONFLICT DO NOTHING RETURNING name`);
}

/** Statement: removes tags of a chat of the person. @param which over the tag's `name` */
export function removeTagsWhere(db: Database, { chatId, userId }: TaggedChat, which: SQL) {
  return db.all<{ name: string }>(sql`
    DELETE FROM chat_tags WHERE chat_id IN (SELECT id FROM chats WHERE id = ${chatId} AND user_id = ${userId}) AND ${which}
    RETURNING name`);
}

/** Condition: the tag is the one with this name. */
export function isTag(name: string): SQL {
  return sql`name = ${name} ${same}`;
}

/** Condition: the tag is not in the list. */
export function isOtherTag(names: readonly string[]): SQL {
  return sql`name ${same} NOT IN (SELECT value FROM json_each(${cleanJson(names)}))`;
}

/** Each tag once, as it is written first. */
export function distinctTags(names: readonly string[]): string[] {
  const known = new Map<string, string>();
  for (const name of names) {
    const key = name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
    if (!known.has(key)) known.set(key, name);
  }
  return [...known.values()];
}
