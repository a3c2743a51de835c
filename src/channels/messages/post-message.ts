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
 * Says something in a channel; whoever is no member of a public one becomes one. Sent again with the same `key` or `temp_id` it is
 * the same message, and nothing happens. Models that it names answer in its thread. One round trip, unless it is refused.
 * @param key the sender's own name for the post (`Idempotency-Key`); `temp_id` where there is none
 * @throws AppError `forbidden`; `not_found` for a channel, message or file that the caller does not find; `validation_failed`
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
    posts: [post, ...replies.posts],
    last: replies.last,
    reader: user.id,
    tempId: input.temp_id,
  });
  if (posted[0]?.isNew) beginReplies(ctx, replies);
  if (posted[0]) return posted[0].message;
  throw await whyRefused(ctx, user, channelId, { named: [input.parent_id, input.reply_to_id], fileIds });
}
