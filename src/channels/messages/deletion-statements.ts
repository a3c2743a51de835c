import { sql, type SQL } from "drizzle-orm";
import type { Services } from "../../context.ts";
import type { Database } from "../../db/client.ts";
import { type ChannelRow, toldChannel } from "../channel-row.ts";
import { selectTold } from "../select-managed.ts";
import { announce, type Announced } from "./announce-messages.ts";
import { messageView } from "./message-view.ts";
import { selectMessages, type MessageRow } from "./select-messages.ts";

/**
 * Statements that take away a message with text, files, mentions, reactions and author. Their last three answers are for
 * `announceDeletion`.
 * @param one a condition over `channel_messages` as `m` that finds the message, if it may be deleted
 */
export function deletionStatements(db: Database, channelId: string, id: string, one: SQL) {
  const now = Date.now();
  const goes = sql`EXISTS (SELECT 1 FROM channel_messages m WHERE ${one})`;
  return [
    db.run(sql`
      UPDATE channel_messages SET reply_count = reply_count - 1, updated_at = max(updated_at + 1, ${now}),
        latest_reply_at = (SELECT max(a.created_at) FROM channel_messages a
          WHERE a.parent_id = channel_messages.id AND a.deleted_at IS NULL AND a.id <> ${id})
      WHERE id = (SELECT m.parent_id FROM channel_messages m WHERE ${one})`),
    ...["channel_mentions", "channel_reactions", "channel_files"].map((table) =>
      db.run(sql`DELETE FROM ${sql.raw(table)} WHERE message_id = ${id} AND ${goes}`),
    ),
    // Last: what the statements before it go by is gone then.
    db.all<{ parent_id: string | null }>(sql`
      UPDATE channel_messages SET content = '', card = NULL, shown_as = NULL, meta = '{}', data = '{}', state = 'done', error = NULL, reply_to_id = NULL,
        user_id = NULL, webhook_id = NULL, face_id = NULL, model = NULL, model_name = NULL, pinned_at = NULL, pinned_by = NULL,
        edited_at = NULL, deleted_at = ${now}, updated_at = max(updated_at + 1, ${now})
      WHERE id = ${id} AND ${goes} RETURNING parent_id`),
    selectTold(db, channelId),
    selectMessages(
      db,
      null,
      sql`m.id = ${id} OR m.id = (SELECT c.parent_id FROM channel_messages c WHERE c.id = ${id}) ORDER BY m.seq DESC`,
    ),
  ];
}

/**
 * Tells the channel.
 * @param results of `deletionStatements`
 * @returns whether the message was deleted
 */
export function announceDeletion(
  services: Pick<Services, "channels" | "waitUntil">,
  id: string,
  results: readonly unknown[],
): boolean {
  const [[done], [channel], rows] = results.slice(-3) as [
    { parent_id: string | null }[],
    Pick<ChannelRow, "id" | "organization_id" | "members_version">[],
    MessageRow[],
  ];
  if (done && channel)
    announce(
      services,
      toldChannel(channel),
      rows.map((row): Announced => {
        const message = messageView(row, null);
        return row.id === id || (row.deleted_at !== null && row.reply_count === 0)
          ? { what: "deleted", message }
          : { what: "updated", message };
      }),
    );
  return done !== undefined;
}
