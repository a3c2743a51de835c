import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { newId } from "../../lib/id.ts";
import { readableChannel } from "../../people/grants/readable-channel.ts";
import { requireChannels } from "../find-channel.ts";
import { beginReplies, planReplies } from "../replies/plan-replies.ts";
import type { ChannelMessage } from "../schema.ts";
import { keptData, keptMeta, namedFiles, readsFiles, requireText } from "./message-parts.ts";
import type { NewPost } from "./post-statements.ts";
import type { NewMessage } from "./schema.ts";
import { whyRefused } from "./why-refused.ts";
import { writePosts } from "./write-posts.ts";

/**
 * Posts a message; a non-member of a public channel becomes a member. Repeating it with the same `key` or `temp_id`
 * returns the same message and changes nothing. Mentioned models answer in its thread. One round trip, unless refused.
 * @param key the client's name for the post (`Idempotency-Key`); default `temp_id`
 * @throws AppError `forbidden`; `not_found` for a channel, message or file that the caller cannot see;
 *   `validation_failed`; `too_many_requests` for a question to models while too many of their answers are under way
 */
export async function postMessage(
  ctx: Context,
  channelId: string,
  input: NewMessage,
  key: string | undefined = input.temp_id,
): Promise<ChannelMessage> {
  const user = requireChannels(ctx);
  const fileIds = namedFiles(input) ?? [];
  const post: NewPost = {
    id: newId(),
    channelId,
    author: { kind: "user", id: user.id, organizationId: user.organizationId },
    parentId: input.parent_id,
    replyToId: input.reply_to_id,
    content: requireText(input.content, fileIds),
    fileIds,
    meta: keptMeta(input) ?? {},
    data: keptData(input) ?? {},
    key,
    condition: sql`${readableChannel(user)} AND ${readsFiles(user, fileIds)}`,
    now: Date.now(),
  };
  const replies = await planReplies(ctx, user, post);
  const { posted } = await writePosts(ctx, {
    posts: [{ ...post, condition: sql`${post.condition} AND ${replies.room}` }, ...replies.posts],
    last: replies.last,
    reader: user.id,
    tempId: input.temp_id,
  });
  if (posted[0]?.isNew) beginReplies(ctx, replies);
  if (posted[0]) return posted[0].message;
  throw await whyRefused(ctx, user, channelId, {
    named: [input.parent_id, input.reply_to_id],
    fileIds,
    room: replies.room,
  });
}
