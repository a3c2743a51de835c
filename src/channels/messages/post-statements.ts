import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { User } from "../../access.ts";
import type { Database } from "../../db/client.ts";
import type { MessageCard } from "../cards/schema.ts";
import { joinStatement } from "../join-statement.ts";
import type { ShownAs } from "../schema.ts";
import { mentionStatement } from "./mention-statements.ts";

/**
 * The author. For webhooks with their current name and picture; for models `askedBy` is the person who mentioned them.
 */
export type PostAuthor =
  | ({ kind: "user" } & Pick<User, "id" | "organizationId">)
  | { kind: "webhook"; webhookId: string; faceId: string | SQL }
  | { kind: "model"; model: string; name: string; askedBy: string };

export interface NewPost {
  /** Made by `newId()`. */
  id: string;
  /** Or SQL that finds it. */
  channelId: string | SQL;
  author: PostAuthor;
  /** The message that it answers in its thread; of an answer, the thread that this one is in. */
  parentId?: string | undefined;
  /** SQL over the table `channels`: the head of the thread that it joins; null for none. */
  joins?: SQL | undefined;
  /** The message that it quotes. */
  replyToId?: string | undefined;
  content: string;
  card?: MessageCard | undefined;
  shownAs?: ShownAs | undefined;
  /** Files that its author may pass on, which `condition` has to make sure. */
  fileIds?: readonly string[];
  meta?: Record<string, unknown>;
  data?: Record<string, unknown>;
  /** What the sender calls it: with the same one again it is the same message, and nothing happens. */
  key?: string | undefined;
  /** `streaming` for an answer that is still to be written. */
  state?: "done" | "streaming";
  /** Over the table `channels` (under that name): whether the author may post at this moment. */
  condition: SQL;
  /** Epoch milliseconds. */
  now: number;
}

/** `user:<id>`, `webhook:<id>` or `model:<id>`. */
export function senderOf(author: PostAuthor): string {
  if (author.kind === "user") return `user:${author.id}`;
  return author.kind === "webhook" ? `webhook:${author.webhookId}` : `model:${author.model}`;
}

/**
 * A condition for later statements of the same batch: whether the post was stored, and is not a repetition of an
 * earlier key.
 */
export function wasPosted(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM channel_messages WHERE channel_messages.id = ${id})`;
}

/**
 * All changes of a post, for one batch, in this order: the message with the channel's next number, the channel's head,
 * the counters of its thread, files, mentions, its author as a member. Nothing happens if the condition fails, if the
 * message that it answers or quotes does not exist, or if the key was used before.
 */
export function postStatements(services: { db: Database }, post: NewPost): BatchItem<"sqlite">[] {
  const { db } = services;
  const { id, channelId, author, now, fileIds = [] } = post;
  const posted = wasPosted(id);
  return [
    insertPost(db, post),
    db.run(sql`UPDATE channels SET head = head + 1, last_message_at = ${now} WHERE id = ${channelId} AND ${posted}`),
    ...(post.parentId === undefined && post.joins === undefined ? [] : [countReply(db, id, now)]),
    ...(fileIds.length === 0 ? [] : [attachStatement(db, id, fileIds)]),
    ...(post.content.includes("<@U:") ? [mentionStatement(db, id, post.content)] : []),
    ...(author.kind === "user" ? [joinStatement(db, author, channelId, posted, now)] : []),
    // Anyone who has put a direct conversation out of sight sees it again.
    db.run(sql`
      UPDATE channel_members SET is_hidden = 0
      WHERE channel_id = (SELECT id FROM channels WHERE id = ${channelId} AND kind = 'direct') AND is_hidden AND ${posted}`),
  ];
}

function insertPost(db: Database, post: NewPost) {
  const { id, author, parentId, replyToId, key, now } = post;
  const json = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));
  const parent = sql`(SELECT coalesce(p.parent_id, p.id) FROM channel_messages p
    WHERE p.id = ${parentId ?? null} AND p.channel_id = channels.id AND (p.deleted_at IS NULL OR p.reply_count > 0))`;
  const quoted = sql`EXISTS (SELECT 1 FROM channel_messages q
    WHERE q.id = ${replyToId ?? null} AND q.channel_id = channels.id AND q.deleted_at IS NULL)`;
  const person = author.kind === "user" ? author.id : author.kind === "model" ? author.askedBy : null;
  const webhook = author.kind === "webhook" ? author : undefined;
  const model = author.kind === "model" ? author : undefined;
  return db.run(sql`
    INSERT INTO channel_messages (id, channel_id, organization_id, seq, parent_id, reply_to_id, user_id, webhook_id, face_id,
      model, model_name, content, card, shown_as, meta, data, state, sender, key, created_at, updated_at)
    SELECT ${id}, channels.id, channels.organization_id, channels.head + 1, ${parentId === undefined ? (post.joins ?? null) : parent},
      ${replyToId ?? null}, ${person}, ${webhook?.webhookId ?? null}, ${webhook?.faceId ?? null},
      ${model?.model ?? null}, ${model?.name ?? null}, ${post.content}, ${json(post.card)}, ${json(post.shownAs)}, ${JSON.stringify(post.meta ?? {})},
      ${JSON.stringify(post.data ?? {})}, ${post.state ?? "done"}, ${senderOf(author)}, ${key ?? null}, ${now}, ${now}
    FROM channels WHERE channels.id = ${post.channelId} AND channels.deleted_at IS NULL AND ${post.condition}
      ${parentId === undefined ? sql`` : sql`AND ${parent} IS NOT NULL`} ${replyToId === undefined ? sql`` : sql`AND ${quoted}`}
    ON CONFLICT (channel_id, sender, key) DO NOTHING`);
}

/** The thread of a message has one answer more. */
function countReply(db: Database, id: string, now: number) {
  return db.run(sql`
    UPDATE channel_messages SET reply_count = reply_count + 1, latest_reply_at = max(coalesce(latest_reply_at, 0), ${now}),
      updated_at = max(updated_at + 1, ${now})
    WHERE id = (SELECT parent_id FROM channel_messages WHERE id = ${id})`);
}

/** Statement: adds files to an existing message, in order. */
export function attachStatement(db: Database, id: string, fileIds: readonly string[], condition: SQL = sql`TRUE`) {
  return db.run(sql`
    INSERT OR IGNORE INTO channel_files (message_id, file_id, channel_id, position)
    SELECT m.id, e.value, m.channel_id, e.key FROM channel_messages m JOIN json_each(${JSON.stringify(fileIds)}) e
    WHERE m.id = ${id} AND ${condition}`);
}
