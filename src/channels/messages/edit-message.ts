import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { toldChannel } from "../channel-row.ts";
import { requireChannels } from "../find-channel.ts";
import type { ChannelMessage } from "../schema.ts";
import { selectTold } from "../select-managed.ts";
import { announce } from "./announce-messages.ts";
import { findMessage } from "./find-message.ts";
import { forgetMentions, mentionStatement } from "./mention-statements.ts";
import { keptData, keptMeta, namedFiles, readsFiles, requireText } from "./message-parts.ts";
import { isMessage, isOwn, mayEdit } from "./message-rights.ts";
import { messageView } from "./message-view.ts";
import { attachStatement } from "./post-statements.ts";
import type { MessageChange } from "./schema.ts";
import { selectMessages, type MessageRow } from "./select-messages.ts";
import { whyRefused } from "./why-refused.ts";

/**
 * Edits a message. Models mentioned only now do not answer. One round trip, unless refused.
 * @throws AppError `not_found`; `forbidden` for messages of others; `conflict` for an answer that is being written;
 *   `validation_failed`
 */
export async function editMessage(
  ctx: Context,
  channelId: string,
  id: string,
  change: MessageChange,
): Promise<ChannelMessage> {
  const user = requireChannels(ctx);
  const { db } = ctx;
  const fileIds = namedFiles(change);
  // Files that stay are not known here: a message that has some may say nothing.
  const content = requireText(change.content, fileIds ?? [id]);
  const now = Date.now();
  const meta = keptMeta(change);
  const data = keptData(change);
  const mayChange = sql`${isMessage(user, channelId, id)} AND ${mayEdit(user)} AND m.state <> 'streaming'`;
  const hasText =
    content.trim() !== "" || fileIds
      ? sql`TRUE`
      : sql`EXISTS (SELECT 1 FROM channel_files cf WHERE cf.message_id = m.id)`;
  const changes = sql`EXISTS (SELECT 1 FROM channel_messages m WHERE ${mayChange} AND ${hasText})
    AND ${readsFiles(user, fileIds ?? [])}`;
  const edited = db.all<{ id: string }>(sql`
    UPDATE channel_messages SET content = ${content}, card = NULL, edited_at = ${now}, updated_at = max(updated_at + 1, ${now})
      ${meta ? sql`, meta = ${JSON.stringify(meta)}` : sql``} ${data ? sql`, data = ${JSON.stringify(data)}` : sql``}
    WHERE id = ${id} AND ${changes} RETURNING id`);
  const results = await runBatch(db, [
    edited,
    auditRowIf(
      ctx,
      {
        action: "channel.message_edited",
        targetType: "channel",
        targetId: channelId,
        organizationId: sql`(SELECT organization_id FROM channel_messages WHERE id = ${id})`,
        detail: { message_id: id },
      },
      sql`changes() > 0 AND NOT EXISTS (SELECT 1 FROM channel_messages m WHERE m.id = ${id} AND ${isOwn(user)})`,
    ),
    ...(fileIds
      ? [
          db.run(sql`DELETE FROM channel_files WHERE message_id = ${id} AND ${changes}`),
          attachStatement(db, id, fileIds, changes),
        ]
      : []),
    forgetMentions(db, id, changes),
    mentionStatement(db, id, content, changes),
    selectTold(db, channelId),
    selectMessages(db, user.id, sql`m.id = ${id}`),
  ]);
  const [done] = results as [Awaited<typeof edited>];
  const [[channel], [row]] = results.slice(-2) as [Awaited<ReturnType<typeof selectTold>>, MessageRow[]];
  if (done.length === 0 || !channel || !row)
    throw await whyNotEdited(ctx, channelId, id, { content, fileIds: fileIds ?? [] });
  announce(ctx, toldChannel(channel), [{ what: "updated", message: messageView(row, null) }]);
  return messageView(row, user.id);
}

async function whyNotEdited(
  ctx: Context,
  channelId: string,
  id: string,
  { content, fileIds }: { content: string; fileIds: readonly string[] },
): Promise<AppError> {
  const user = requireChannels(ctx);
  const notTheirs = new AppError("forbidden", "Only its author can edit a message");
  const row = await findMessage(ctx, channelId, id);
  if (row.sender !== `user:${user.id}` && user.role !== "admin") return notTheirs;
  if (row.state === "streaming") return new AppError("conflict", "This answer is still being written");
  if (row.files === "[]") requireText(content, fileIds);
  const why = await whyRefused(ctx, user, channelId, { named: [id], fileIds });
  return why.code === "conflict" ? notTheirs : why;
}
