import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { toldChannel } from "../channel-row.ts";
import { requireChannels } from "../find-channel.ts";
import { selectTold } from "../select-managed.ts";
import { announce, type Announced } from "./announce-messages.ts";
import { findMessage } from "./find-message.ts";
import { isMessage, isOwn, mayDelete } from "./message-rights.ts";
import { messageView } from "./message-view.ts";
import { selectMessages, type MessageRow } from "./select-messages.ts";

/**
 * Takes back what was said: text, files, names, reactions and author are gone. Where answers are below it, an empty place stays
 * as their head until the last of them is gone too. One round trip, unless it is refused.
 * @throws AppError `not_found`, also for one that is deleted already; `forbidden`
 */
export async function deleteMessage(ctx: Context, channelId: string, id: string): Promise<void> {
  const user = requireChannels(ctx);
  const { db } = ctx;
  const now = Date.now();
  const one = sql`${isMessage(user, channelId, id)} AND ${mayDelete(user)}`;
  const goes = sql`EXISTS (SELECT 1 FROM channel_messages m WHERE ${one})`;
  const deleted = db.all<{ parent_id: string | null }>(sql`
    UPDATE channel_messages SET content = '', meta = '{}', data = '{}', state = 'done', error = NULL, reply_to_id = NULL,
      user_id = NULL, webhook_id = NULL, face_id = NULL, model = NULL, model_name = NULL, pinned_at = NULL, pinned_by = NULL,
      edited_at = NULL, deleted_at = ${now}, updated_at = max(updated_at + 1, ${now})
    WHERE id = ${id} AND ${goes} RETURNING parent_id`);
  const results = await runBatch(db, [
    auditRowIf(
      ctx,
      {
        action: "channel.message_deleted",
        targetType: "channel",
        targetId: channelId,
        organizationId: sql`(SELECT organization_id FROM channel_messages WHERE id = ${id})`,
        detail: sql`(SELECT json_object('message_id', id, 'sender', sender) FROM channel_messages WHERE id = ${id})`,
      },
      sql`EXISTS (SELECT 1 FROM channel_messages m WHERE ${one} AND NOT ${isOwn(user)} AND m.user_id IS NOT ${user.id})`,
    ),
    db.run(sql`
      UPDATE channel_messages SET reply_count = reply_count - 1, updated_at = max(updated_at + 1, ${now}),
        latest_reply_at = (SELECT max(a.created_at) FROM channel_messages a
          WHERE a.parent_id = channel_messages.id AND a.deleted_at IS NULL AND a.id <> ${id})
      WHERE id = (SELECT m.parent_id FROM channel_messages m WHERE ${one})`),
    ...["channel_mentions", "channel_reactions", "channel_files"].map((table) =>
      db.run(sql`DELETE FROM ${sql.raw(table)} WHERE message_id = ${id} AND ${goes}`),
    ),
    // Last: what the statements before it go by is gone then.
    deleted,
    selectTold(db, channelId),
    selectMessages(
      db,
      null,
      sql`m.id = ${id} OR m.id = (SELECT c.parent_id FROM channel_messages c WHERE c.id = ${id}) ORDER BY m.seq DESC`,
    ),
  ]);
  const [[done], [channel], rows] = results.slice(-3) as [
    Awaited<typeof deleted>,
    Awaited<ReturnType<typeof selectTold>>,
    MessageRow[],
  ];
  if (!done) throw await whyNotDeleted(ctx, channelId, id);
  if (!channel) return;
  announce(
    ctx,
    toldChannel(channel),
    rows.map((row): Announced => {
      const message = messageView(row, null);
      return row.id === id || (row.deleted_at !== null && row.reply_count === 0)
        ? { what: "deleted", message }
        : { what: "updated", message };
    }),
  );
}

async function whyNotDeleted(ctx: Context, channelId: string, id: string): Promise<AppError> {
  await findMessage(ctx, channelId, id);
  return new AppError("forbidden", "Only its author or a manager of the channel can delete a message");
}
