import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { sha256Hex } from "../../lib/sha256.ts";
import { headLine } from "../cards/card-markdown.ts";
import type { InboundPost } from "./inbound-post.ts";

/** How a post takes its place in the thread of what belongs together, in the transaction of the post. */
export interface ThreadStatements {
  /** SQL over the table `channels`: the head of the thread; null where this post begins it. */
  joins: SQL;
  /** After the post: the first post is brought up to date, and the thread is kept. */
  last: ReturnType<Database["run"]>[];
}

/** @param id of the message that the post makes */
export async function threadStatements(
  db: Database,
  webhookId: string,
  id: string,
  post: InboundPost,
  now: number,
): Promise<ThreadStatements | undefined> {
  if (!post.thread) return undefined;
  const { isOpen, restarts } = post.thread;
  const key = await sha256Hex(post.thread.key);
  const theThread = sql`webhook_id = ${webhookId} AND key = ${key}`;
  const head = sql`(SELECT parent_id FROM channel_messages WHERE id = ${id})`;
  return {
    joins: sql`(SELECT h.id FROM channel_webhook_threads t JOIN channel_webhooks w ON w.id = t.webhook_id
      JOIN channel_messages h ON h.id = t.message_id
      WHERE t.webhook_id = ${webhookId} AND t.key = ${key} AND w.has_threads AND h.channel_id = channels.id
        AND h.deleted_at IS NULL ${restarts && isOpen === true ? sql`AND t.is_open` : sql``})`,
    last: [
      ...updateHead(db, head, post, now),
      db.run(sql`INSERT INTO channel_webhook_threads (webhook_id, key, message_id, is_open)
        SELECT w.id, ${key}, ${id}, ${isOpen === false ? 0 : 1} FROM channel_webhooks w WHERE w.id = ${webhookId} AND w.has_threads
          AND EXISTS (SELECT 1 FROM channel_messages m WHERE m.id = ${id} AND m.parent_id IS NULL)
        ON CONFLICT (webhook_id, key) DO UPDATE SET message_id = excluded.message_id, is_open = excluded.is_open`),
      ...(isOpen === undefined
        ? []
        : [
            db.run(sql`UPDATE channel_webhook_threads SET is_open = ${isOpen ? 1 : 0}
              WHERE ${theThread} AND message_id = ${head}`),
          ]),
    ],
  };
}

/** The first post says how things are now, unless somebody has edited it. */
function updateHead(db: Database, head: SQL, post: InboundPost, now: number) {
  const [part] = post.card?.parts ?? [];
  if (!part?.state || !post.thread) return [];
  const change =
    post.thread.head === "all"
      ? sql`card = ${JSON.stringify(post.card)}, content = ${post.content}`
      : sql`card = json_set(card, '$.parts[0].state', json(${JSON.stringify(part.state)}), '$.parts[0].title', ${part.title ?? ""}),
          content = ${headLine(part)} || substr(content, instr(content || char(10), char(10)))`;
  return [
    db.run(sql`UPDATE channel_messages SET ${change}, updated_at = max(updated_at + 1, ${now})
      WHERE id = ${head} AND card IS NOT NULL AND edited_at IS NULL AND deleted_at IS NULL`),
  ];
}
