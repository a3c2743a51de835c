import { sql } from "drizzle-orm";
import type { Services } from "../../context.ts";
import type { ChannelMembers } from "./online-members.ts";

/** The members of a channel; none where the channel is gone. */
export async function loadMembers({ db }: Pick<Services, "db">, channelId: string): Promise<ChannelMembers> {
  // One value: thousands of rows cost more on their way than in the database.
  const [row] = await db.all<{ version: number; ids: string }>(sql`SELECT members_version AS version,
    (SELECT json_group_array(user_id) FROM channel_members WHERE channel_id = ${channelId}) AS ids
    FROM channels WHERE id = ${channelId}`);
  return row ? { version: row.version, ids: JSON.parse(row.ids) as string[] } : { version: -1, ids: [] };
}
