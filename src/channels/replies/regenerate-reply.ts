import { sql } from "drizzle-orm";
import { heldCredential } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { addJobStatement } from "../../jobs/add-job.ts";
import { requireChannels } from "../find-channel.ts";
import type { ChannelMessage } from "../schema.ts";
import { hasReplyRoom, replyTimeoutMs, tooManyReplies } from "./plan-replies.ts";
import { selectShown, show } from "./reply-store.ts";
import { findReply, notSteered, steerable } from "./stop-reply.ts";

/**
 * Has a model answer again, in the place of its answer: the caller is the one who asks from now on, with their rights. For anyone who
 * asked, and managers of the channel. One round trip, and one for the answer.
 * @throws AppError `not_found`; `forbidden`; `validation_failed` for a message that is no answer; `conflict` while it is being
 *   written, and where what was asked is deleted
 */
export async function regenerateReply(ctx: Context, channelId: string, id: string): Promise<ChannelMessage> {
  const user = requireChannels(ctx);
  const { db } = ctx;
  const { kind, id: credentialId } = heldCredential(user);
  const mayBegin = sql`EXISTS (SELECT 1 FROM channel_messages JOIN channel_replies r ON r.message_id = channel_messages.id
    JOIN channel_messages q ON q.id = r.question_id AND q.deleted_at IS NULL
    WHERE channel_messages.state <> 'streaming' AND ${steerable(user, channelId, id)}) AND ${hasReplyRoom(ctx, user)}`;
  const deadline = Date.now() + replyTimeoutMs;
  // The message is last: what is before it looks at how it was.
  const [, , begun, ...shown] = await db.batch([
    db.run(sql`
      UPDATE channel_replies SET credential_kind = ${kind}, credential_id = ${credentialId}, origin = ${ctx.origin}
      WHERE message_id = ${id} AND ${mayBegin}`),
    addJobStatement(ctx, { kind: "reply", subject: id, userId: user.id, deadline, condition: mayBegin }),
    db.run(sql`
      UPDATE channel_messages SET state = 'streaming', content = '', error = NULL, user_id = ${user.id},
        meta = json_remove(meta, '$.stopped', '$.sources'), updated_at = max(updated_at + 1, ${Date.now()})
      WHERE id = ${id} AND ${mayBegin}`),
    ...selectShown(db, id),
  ]);
  if (begun.rowsAffected > 0) {
    show(ctx, shown);
    ctx.waitUntil(ctx.jobs.wake("reply"));
    return findReply(ctx, user, channelId, id);
  }
  const message = await findReply(ctx, user, channelId, id);
  const [may] = await db.all<{ hasRoom: number }>(
    sql`SELECT ${hasReplyRoom(ctx, user)} AS hasRoom FROM channel_messages WHERE ${steerable(user, channelId, id)}`,
  );
  if (!may) throw notSteered();
  if (!may.hasRoom) throw tooManyReplies(ctx);
  throw new AppError(
    "conflict",
    message.state === "streaming" ? "This answer is still being written" : "The question was deleted",
  );
}
