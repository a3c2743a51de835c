import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { unreadMention } from "../channel-row.ts";
import type { ChannelMessage } from "../schema.ts";
import { readsChannel } from "./find-message.ts";
import { pickMessages } from "./history.ts";

/** As many are given at once; what was read makes room for the next. */
const maxMentions = 20;

/**
 * Unread messages that mention the caller, also in threads, oldest first: those in `mention_count`. Empty for
 * non-members. One round trip.
 * @throws AppError `not_found`, `forbidden`
 */
export function listMentions(ctx: Context, channelId: string): Promise<ChannelMessage[]> {
  return pickMessages(
    ctx,
    channelId,
    (user) => sql`m.id IN (SELECT n.message_id FROM channel_mentions n
        JOIN channel_members mine ON mine.channel_id = n.channel_id AND mine.user_id = n.user_id
        WHERE n.user_id = ${user.id} AND n.channel_id = ${channelId} AND ${unreadMention} ORDER BY n.seq LIMIT ${maxMentions})
      AND ${readsChannel(user, channelId)} ORDER BY m.seq`,
  );
}
