import { sql } from "drizzle-orm";
import type { Services } from "../../context.ts";
import { indexPairs } from "../../db/index-pairs.ts";

/** Puts messages in scripts without spaces into their index. For the timer. */
export async function sweepChannelSearch({ db }: Pick<Services, "db">): Promise<void> {
  await indexPairs(db, {
    source: "channel_messages",
    into: sql`channel_pairs (rowid, place, content)`,
    place: sql`replace(t.organization_id, '-', '') || ' ' || replace(t.channel_id, '-', '')`,
    text: sql`t.content`,
  });
}
