import { sql, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { hasChatRoom } from "../../people/totals/chat-room.ts";
import { chats, chatTags } from "../../stored-chats/tables.ts";
import { removeChat } from "./delete-chats.ts";
import { insertMessages, inSlices, messageCost } from "./write-messages.ts";

/** A new chat as its rows are stored. */
export interface StorableChat {
  row: Omit<typeof chats.$inferInsert, "folderId" | "organizationId"> & {
    folderId: SQL | null;
    organizationId: string | SQL;
  };
  /** As `newMessages` gives them. */
  messages: string[];
  tags: string[];
}

/** The chats in their order, as many together as one transaction may write. Only the first slice of a large one counts. */
export function inBatches(stored: readonly StorableChat[]): StorableChat[][] {
  return inSlices(stored, ({ messages: [first = ""] }) => first.length + 2 * messageCost);
}

/**
 * Stores new chats of the caller, which are one of `inBatches`: one transaction, and one more for each further slice of a
 * large chat. If one of those fails, that chat is deleted: nobody knows its id yet and could save the rest.
 * @returns how many were stored: the first ones, as many as the caller may have
 */
export async function storeChats(ctx: Context, given: readonly StorableChat[]): Promise<number> {
  const [first] = given;
  if (!first) return 0;
  const { userId } = first.row;
  const now = ctx.now();
  const lists = given.flatMap((chat) => chat.messages.slice(0, 1));
  const tags = given.flatMap((chat) => chat.tags.map((name) => [chat.row.id, name]));
  const room = hasChatRoom(ctx, userId);
  const results = await runBatch(ctx.db, [
    ...given.map(({ row }) => insertWhere(ctx.db, chats, row, room)),
    ...(lists.length > 0 ? [insertMessages(ctx.db, userId, lists, now)] : []),
    ...(tags.length > 0 ? [insertTags(ctx, tags)] : []),
  ]);
  const count = results.slice(0, given.length).filter((each) => (each as { rowsAffected: number }).rowsAffected > 0);
  const stored = given.slice(0, count.length);
  for (const chat of stored) {
    try {
      for (const list of chat.messages.slice(1)) await insertMessages(ctx.db, userId, [list], now);
    } catch (error) {
      await removeChat(ctx.db, { chatId: chat.row.id, userId }).catch(() => undefined);
      throw error;
    }
  }
  return stored.length;
}

/** Statement: tags of chats, of those that are there. @param tags chat and name */
export function insertTags({ db }: Pick<Context, "db">, tags: readonly string[][]) {
  return db
    .insert(chatTags)
    .select(sql`
    SELECT c.id, t.value->>1, c.user_id FROM json_each(${JSON.stringify(tags)}) t
    CROSS JOIN chats c ON c.id = t.value->>0 WHERE TRUE`)
    .onConflictDoNothing();
}
