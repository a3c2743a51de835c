import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { requireChannels } from "../find-channel.ts";
import { announceDeletion, deletionStatements } from "./deletion-statements.ts";
import { findMessage } from "./find-message.ts";
import { isMessage, isOwn, mayDelete } from "./message-rights.ts";

/**
 * Deletes a message with text, files, mentions, reactions and author. If it has replies, an empty placeholder stays as
 * the head of the thread until the last of them is deleted. One round trip, unless refused.
 * @throws AppError `not_found`, also for one that is already deleted; `forbidden`
 */
export async function deleteMessage(ctx: Context, channelId: string, id: string): Promise<void> {
  const user = requireChannels(ctx);
  const one = sql`${isMessage(user, channelId, id)} AND ${mayDelete(user)}`;
  const results = await runBatch(ctx.db, [
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
    ...deletionStatements(ctx.db, channelId, id, one),
  ]);
  if (!announceDeletion(ctx, id, results)) throw await whyNotDeleted(ctx, channelId, id);
}

async function whyNotDeleted(ctx: Context, channelId: string, id: string): Promise<AppError> {
  await findMessage(ctx, channelId, id);
  return new AppError("forbidden", "Only its author or a manager of the channel can delete a message");
}
