import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { toldChannel } from "../channel-row.ts";
import { requireChannels } from "../find-channel.ts";
import { selectTold } from "../select-managed.ts";
import { announce } from "./announce-messages.ts";
import { findMessage } from "./find-message.ts";
import { isMessage } from "./message-rights.ts";
import { messageView } from "./message-view.ts";
import { selectMessages } from "./select-messages.ts";

/** Different reactions to one message. */
const maxReactions = 50;

/**
 * The caller reacts to a message, or takes it back; again changes nothing. One round trip, unless it is refused.
 * @throws AppError `not_found`, `forbidden`; `conflict` for one reaction too many
 */
export async function react(
  ctx: Context,
  channelId: string,
  id: string,
  { name, added }: { name: string; added: boolean },
): Promise<void> {
  const user = requireChannels(ctx);
  const { db } = ctx;
  const now = Date.now();
  const one = isMessage(user, channelId, id);
  const change = added
    ? sql`INSERT INTO channel_reactions (message_id, name, user_id, created_at)
        SELECT m.id, ${name}, ${user.id}, ${now} FROM channel_messages m WHERE ${one} AND (
          EXISTS (SELECT 1 FROM channel_reactions r WHERE r.message_id = m.id AND r.name = ${name})
          OR (SELECT count(DISTINCT r.name) FROM channel_reactions r WHERE r.message_id = m.id) < ${maxReactions})
        ON CONFLICT DO NOTHING`
    : sql`DELETE FROM channel_reactions WHERE message_id = ${id} AND name = ${name} AND user_id = ${user.id}
        AND EXISTS (SELECT 1 FROM channel_messages m WHERE ${one})`;
  const [, changed, [channel], [row]] = await db.batch([
    db.run(change),
    db.all(sql`UPDATE channel_messages SET updated_at = max(updated_at + 1, ${now}) WHERE id = ${id} AND changes() > 0
      RETURNING id`),
    selectTold(db, channelId),
    selectMessages(db, user.id, one),
  ]);
  if (!row || !channel) {
    await findMessage(ctx, channelId, id);
    return;
  }
  if (changed.length > 0) {
    const reaction = { name, user_id: user.id, added };
    announce(ctx, toldChannel(channel), [{ what: "reacted", message: messageView(row, null), reaction }]);
    return;
  }
  const isMine = messageView(row, user.id).reactions.some((reaction) => reaction.name === name && reaction.mine);
  if (added && !isMine) throw new AppError("conflict", `A message can have at most ${maxReactions} different reactions`);
}
