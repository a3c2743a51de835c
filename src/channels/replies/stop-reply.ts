import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { jobs } from "../../jobs/tables.ts";
import { manageableChannel, requireChannels } from "../find-channel.ts";
import { findMessage, readsChannel } from "../messages/find-message.ts";
import { messageView } from "../messages/message-view.ts";
import type { ChannelMessage } from "../schema.ts";
import { endReply } from "./reply-store.ts";

/**
 * Ends an answer that a model is writing; what has arrived stays. One that has ended stays as it is. For whoever asked, and managers
 * of the channel.
 * @throws AppError `not_found`; `forbidden`; `validation_failed` for a message that is no answer
 */
export async function stopReply(ctx: Context, channelId: string, id: string): Promise<ChannelMessage> {
  const user = requireChannels(ctx);
  const isStopped = sql`EXISTS (SELECT 1 FROM channel_messages m WHERE m.id = ${id} AND m.state <> 'streaming')`;
  // Whoever writes it notices within seconds that there is no such job any more.
  const dropJob = ctx.db.delete(jobs).where(sql`kind = 'reply' AND subject = ${id} AND ${isStopped}`);
  const isEnded = await endReply(ctx, id, steerable(user, channelId, id), { meta: { stopped: true } }, [dropJob]);
  const message = await findReply(ctx, user, channelId, id);
  if (!isEnded && message.state === "streaming") throw notSteered();
  return message;
}

/** A condition over `channel_messages`: whether the person may stop this answer of a model, or have it written anew. */
export function steerable(user: User, channelId: string, id: string): SQL {
  return sql`channel_messages.id = ${id} AND channel_messages.channel_id = ${channelId} AND channel_messages.model IS NOT NULL
    AND channel_messages.deleted_at IS NULL AND ${readsChannel(user, channelId)} AND (channel_messages.user_id = ${user.id}
      OR EXISTS (SELECT 1 FROM channels WHERE channels.id = ${channelId} AND ${manageableChannel(user)}))`;
}

/** The answer as it is now. @throws AppError `not_found`; `forbidden`; `validation_failed` for a message that is no answer */
export async function findReply(ctx: Context, user: User, channelId: string, id: string): Promise<ChannelMessage> {
  const row = await findMessage(ctx, channelId, id);
  if (row.model === null)
    throw new AppError("validation_failed", "Only answers of models can be stopped or regenerated");
  return messageView(row, user.id);
}

export function notSteered(): AppError {
  return new AppError("forbidden", "Only the person who asked or a manager of the channel can do this");
}
