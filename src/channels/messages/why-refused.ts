import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { noFile } from "../../documents/files/find-file.ts";
import { AppError } from "../../errors.ts";
import { findChannel } from "../find-channel.ts";
import { tooManyReplies } from "../replies/plan-replies.ts";
import { noMessage } from "./find-message.ts";
import { readsFiles } from "./message-parts.ts";

/**
 * Says why a post, or a change of one, was not taken.
 * @param named ids of messages that have to be in the channel
 */
export async function whyRefused(
  ctx: Context,
  user: User,
  channelId: string,
  { named, fileIds, room = sql`1` }: { named: readonly (string | undefined)[]; fileIds: readonly string[]; room?: SQL },
): Promise<AppError> {
  await findChannel(ctx, channelId, "post");
  const ids = JSON.stringify(named.filter((id) => id !== undefined));
  const [found] = await ctx.db.all<{ isThere: number; readsFiles: number; hasRoom: number }>(sql`
    SELECT ${room} AS hasRoom, ${readsFiles(user, fileIds)} AS readsFiles, NOT EXISTS (SELECT 1 FROM json_each(${ids}) e WHERE NOT EXISTS (
      SELECT 1 FROM channel_messages m WHERE m.id = e.value AND m.channel_id = ${channelId} AND m.deleted_at IS NULL)) AS isThere`);
  if (!found?.isThere) return noMessage();
  if (!found.readsFiles) return noFile();
  if (!found.hasRoom) return tooManyReplies(ctx);
  return new AppError("conflict", "Someone else changed this in the meantime: reload and try again");
}
