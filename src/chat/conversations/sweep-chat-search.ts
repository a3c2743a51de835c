import { sql } from "drizzle-orm";
import type { Services } from "../../context.ts";
import { indexPairs } from "../../db/index-pairs.ts";

/** Puts titles and messages in scripts without spaces into their indexes. For the timer. */
export async function sweepChatSearch({ db }: Pick<Services, "db">): Promise<void> {
  await indexPairs(db, {
    source: "chats",
    into: sql`chat_pairs (rowid, user_id, title)`,
    place: sql`t.user_id`,
    text: sql`t.title`,
  });
  await indexPairs(db, {
    source: "messages",
    into: sql`message_pairs (rowid, user_id, content)`,
    place: sql`t.user_id`,
    text: sql`t.content`,
  });
}
