import { asc, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { isTooLarge } from "../../db/database-error.ts";
import { messages } from "../../stored-chats/tables.ts";
import type { KnownMessage } from "./plan-tree.ts";
import type { Owner } from "./write-messages.ts";

/**
 * Rows in one answer of the database, which sqld limits to 10 MB: most take some hundred bytes. Nearly all chats are one
 * page; those of the others are small, because nobody else is served while one is taken apart.
 */
const maxRows = { first: 4000, further: 1000 };

/** All rows in the order of their numbers. @param read so many rows after this number */
export async function inPages<Row extends { number: number }>(
  read: (after: number, rows: number) => Promise<Row[]>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (let rows = maxRows.first; ;) {
    try {
      const page = await read(all.at(-1)?.number ?? 0, rows);
      all.push(...page);
      if (page.length < rows) return all;
      rows = Math.min(rows, maxRows.further);
    } catch (error) {
      if (rows === 1 || !isTooLarge(error)) throw error;
      rows = Math.ceil(rows / 8);
    }
  }
}

/** Which messages are a page of the chats: read from the index alone, so that a page costs what is in it. */
export function isOnPage(chatIds: SQL, after: number, rows: number): SQL {
  return sql`${messages.number} IN (SELECT m.number FROM messages m WHERE m.chat_id IN (${chatIds}) AND m.number > ${after}
    ORDER BY m.number LIMIT ${rows})`;
}

/** A message in the tree of its chat, with the bytes of its text. */
export interface TreeRow extends KnownMessage {
  number: number;
  size: number;
}

/** Statement: a page of the tree of one of the person's chats, in the order of the numbers. */
export function selectTree(db: Database, chat: Owner, after: number, rows: number) {
  return db
    .select({
      number: messages.number,
      id: messages.id,
      parentId: messages.parentId,
      size: sql<number>`octet_length(${messages.content})`,
    })
    .from(messages)
    .where(isOnPage(sql`SELECT id FROM chats WHERE id = ${chat.chatId} AND user_id = ${chat.userId}`, after, rows))
    .orderBy(asc(messages.number));
}

/** The messages of one of the person's chats with their parents, oldest first. */
export function readTree(db: Database, chat: Owner): Promise<TreeRow[]> {
  return inPages((after, rows) => selectTree(db, chat, after, rows));
}
