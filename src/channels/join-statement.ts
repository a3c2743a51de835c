import { sql, type SQL } from "drizzle-orm";
import type { User } from "../access.ts";
import type { Database } from "../db/client.ts";

/**
 * Statement: makes a person who may join a member, with earlier messages read. Changes nothing for members, and in
 * channels that are not public or belong to another organization.
 * @param channelId SQL or the id itself
 * @param condition an additional condition
 * @param now epoch milliseconds
 */
export function joinStatement(
  db: Database,
  user: Pick<User, "id" | "organizationId">,
  channelId: string | SQL,
  condition: SQL,
  now: number,
) {
  return db.run(sql`
    INSERT INTO channel_members (channel_id, user_id, role, last_read, last_read_at, is_hidden, joined_at)
    SELECT channels.id, ${user.id}, 'member', channels.head, ${now}, 0, ${now} FROM channels
    WHERE channels.id = ${channelId} AND channels.deleted_at IS NULL AND channels.kind = 'public'
      AND channels.organization_id = ${user.organizationId} AND ${condition}
    ON CONFLICT DO NOTHING`);
}
