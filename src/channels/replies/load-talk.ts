import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { messageView } from "../messages/message-view.ts";
import { selectMessages } from "../messages/select-messages.ts";
import type { ChannelMessage } from "../schema.ts";
import type { Reply } from "./load-reply.ts";

/**
 * What was said up to the question, oldest first, the question last: the thread that it stands in, with its head, or the latest
 * messages of the channel itself. Answers that are still being written, and what is deleted, are left out. One round trip.
 */
export async function loadTalk(
  ctx: Pick<Context, "db" | "settings">,
  { channel, id }: Pick<Reply, "channel" | "id">,
  question: NonNullable<Reply["question"]>,
): Promise<ChannelMessage[]> {
  const { parentId, seq } = question;
  const maxMessages = ctx.settings.CHANNEL_CONTEXT_MESSAGES;
  const isSaid = sql`c.seq <= ${seq} AND c.state <> 'streaming' AND c.deleted_at IS NULL AND c.id <> ${id}`;
  const latest = sql`SELECT c.id FROM channel_messages c WHERE c.channel_id = ${channel.id} AND ${isSaid}`;
  const order = sql`ORDER BY c.seq DESC LIMIT ${maxMessages}`;
  const which =
    parentId === null
      ? sql`m.id IN (${latest} AND c.parent_id IS NULL ${order})`
      : sql`m.id IN (${latest} AND c.parent_id = ${parentId} ${order})
          OR (m.id = ${parentId} AND m.channel_id = ${channel.id} AND m.deleted_at IS NULL)`;
  const rows = await selectMessages(ctx.db, null, sql`(${which}) ORDER BY m.seq`);
  return rows.map((row) => messageView(row, null));
}
