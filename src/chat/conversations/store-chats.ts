import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { removeChat } from "./delete-chats.ts";
import { chats, chatTags } from "./tables.ts";
import { insertMessages, inSlices, messageCost } from "./write-messages.ts";

/** A new chat as its rows are stored. */
export interface StorableChat {
  row: typeof chats.$inferInsert;
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
 */
export async function storeChats(ctx: Context, stored: readonly StorableChat[]): Promise<void> {
  const [first] = stored;
  if (!first) return;
  const { userId } = first.row;
  const now = ctx.now();
  const lists = stored.flatMap((chat) => chat.messages.slice(0, 1));
  const tags = stored.flatMap((chat) => chat.tags.map((name) => ({ chatId: chat.row.id, name })));
  await runBatch(ctx.db, [
    ctx.db.insert(chats).values(stored.map((chat) => chat.row)),
    ...(lists.length > 0 ? [insertMessages(ctx.db, userId, lists, now)] : []),
    ...(tags.length > 0 ? [ctx.db.insert(chatTags).values(tags).onConflictDoNothing()] : []),
  ]);
  for (const chat of stored) {
    try {
      for (const list of chat.messages.slice(1)) await insertMessages(ctx.db, userId, [list], now);
    } catch (error) {
      await removeChat(ctx.db, { chatId: chat.row.id, userId }).catch(() => undefined);
      throw error;
    }
  }
}
