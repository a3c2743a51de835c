import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { readableChannel } from "../../people/grants/readable-channel.ts";
import { findChannel, requireChannels } from "../find-channel.ts";
import { selectMessages, type MessageRow } from "./select-messages.ts";

export function noMessage(): AppError {
  return new AppError("not_found", "No such message");
}

/** A condition, whatever the tables: whether the person reads the channel at this moment. */
export function readsChannel(user: User, channelId: string | SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM channels WHERE channels.id = ${channelId} AND ${readableChannel(user)})`;
}

/**
 * A message that is not deleted, for somebody who reads the channel. One round trip.
 * @throws AppError `not_found`, `forbidden`
 */
export async function findMessage(ctx: Context, channelId: string, id: string): Promise<MessageRow> {
  const user = requireChannels(ctx);
  const [row] = await selectMessages(
    ctx.db,
    user.id,
    sql`m.id = ${id} AND m.channel_id = ${channelId} AND m.deleted_at IS NULL AND ${readsChannel(user, channelId)}`,
  );
  if (row) return row;
  await findChannel(ctx, channelId, "read");
  throw noMessage();
}
