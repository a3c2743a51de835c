import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { toldChannel } from "../channel-row.ts";
import { requireChannels } from "../find-channel.ts";
import type { ChannelMessage } from "../schema.ts";
import { selectTold } from "../select-managed.ts";
import { announce } from "./announce-messages.ts";
import { findMessage, readsChannel } from "./find-message.ts";
import { selectOpened, whyClosed } from "./history.ts";
import { isMessage } from "./message-rights.ts";
import { messageView } from "./message-view.ts";
import { selectMessages } from "./select-messages.ts";

/** Messages in a page of pinned ones, as in the peer. */
const pageSize = 20;

/**
 * Keeps a message where everybody finds it, or no longer; whoever may write in the channel may. One round trip, unless it is refused.
 * @throws AppError `not_found`, `forbidden`
 */
export async function pinMessage(
  ctx: Context,
  channelId: string,
  id: string,
  pinned: boolean,
): Promise<ChannelMessage> {
  const user = requireChannels(ctx);
  const { db } = ctx;
  const now = Date.now();
  const one = isMessage(user, channelId, id);
  const [changed, [channel], [row]] = await db.batch([
    db.all(sql`
      UPDATE channel_messages SET pinned_at = ${pinned ? now : null}, pinned_by = ${pinned ? user.id : null},
        updated_at = max(updated_at + 1, ${now})
      WHERE id = ${id} AND pinned_at IS ${sql.raw(pinned ? "NULL" : "NOT NULL")}
        AND EXISTS (SELECT 1 FROM channel_messages m WHERE ${one}) RETURNING id`),
    selectTold(db, channelId),
    selectMessages(db, user.id, one),
  ]);
  if (!row || !channel) return messageView(await findMessage(ctx, channelId, id), user.id);
  if (changed.length > 0) announce(ctx, toldChannel(channel), [{ what: "updated", message: messageView(row, null) }]);
  return messageView(row, user.id);
}

/** Pinned messages, latest pin first, 20 per page. One round trip. @throws AppError `not_found`, `forbidden` */
export async function listPinned(ctx: Context, channelId: string, page: number): Promise<ChannelMessage[]> {
  const user = requireChannels(ctx);
  const [[opened], rows] = await ctx.db.batch([
    selectOpened(ctx, user, channelId),
    selectMessages(
      ctx.db,
      user.id,
      sql`m.channel_id = ${channelId} AND m.pinned_at IS NOT NULL AND ${readsChannel(user, channelId)}
        ORDER BY m.pinned_at DESC, m.seq DESC LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`,
    ),
  ]);
  if (!opened) throw await whyClosed(ctx, channelId);
  return rows.map((row) => messageView(row, user.id));
}
