import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { unreadMention } from "../channel-row.ts";
import { requireChannels } from "../find-channel.ts";
import type { ChannelMessage } from "../schema.ts";
import { readsChannel } from "./find-message.ts";
import { selectOpened, whyClosed } from "./history.ts";
import { messageView } from "./message-view.ts";
import { selectMessages } from "./select-messages.ts";

/** As many are given at once; what was read makes room for the next. */
const maxMentions = 20;

/**
 * Unread messages that name the caller, in threads too, oldest first: what `mention_count` counts. Nothing for those who are no
 * members. One round trip.
 * @throws AppError `not_found`, `forbidden`
 */
export async function listMentions(ctx: Context, channelId: string): Promise<ChannelMessage[]> {
  const user = requireChannels(ctx);
  const [[opened], rows] = await ctx.db.batch([
    selectOpened(ctx, user, channelId),
    selectMessages(
      ctx.db,
      user.id,
      sql`m.id IN (SELECT n.message_id FROM channel_mentions n
          JOIN channel_members mine ON mine.channel_id = n.channel_id AND mine.user_id = n.user_id
          WHERE n.user_id = ${user.id} AND n.channel_id = ${channelId} AND ${unreadMention} ORDER BY n.seq LIMIT ${maxMentions})
        AND ${readsChannel(user, channelId)} ORDER BY m.seq`,
    ),
  ]);
  if (!opened) throw await whyClosed(ctx, channelId);
  return rows.map((row) => messageView(row, user.id));
}
