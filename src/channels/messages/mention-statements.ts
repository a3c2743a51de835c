import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { mentionedIds } from "../../shared/mentions.ts";

/**
 * Statement: notes the people whom a message that is there names, of those who can read it; never its own author.
 * @param content what it says
 */
export function mentionStatement(db: Database, id: string, content: string, condition: SQL = sql`TRUE`) {
  return db.run(sql`
    INSERT OR IGNORE INTO channel_mentions (message_id, user_id, channel_id, seq)
    SELECT m.id, u.id, m.channel_id, m.seq FROM channel_messages m JOIN channels c ON c.id = m.channel_id
      JOIN json_each(${JSON.stringify(mentionedIds(content, "user"))}) e JOIN users u ON u.id = e.value
    WHERE m.id = ${id} AND m.deleted_at IS NULL AND ${condition} AND m.sender <> 'user:' || u.id AND u.active
      AND u.organization_id = c.organization_id AND (c.kind = 'public'
        OR EXISTS (SELECT 1 FROM channel_members cm WHERE cm.channel_id = c.id AND cm.user_id = u.id))`);
}

/** Statement: forgets whom a message names. */
export function forgetMentions(db: Database, id: string, condition: SQL) {
  return db.run(sql`DELETE FROM channel_mentions WHERE message_id = ${id} AND ${condition}`);
}
