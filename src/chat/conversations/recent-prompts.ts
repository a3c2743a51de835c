import { sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";

/** How many chats are looked at, and the longest question that is short enough to be asked again, in characters. */
const maxChats = 40;
const maxLength = 200;

/** The questions with which the caller's latest chats began, the newest first, each once: short ones, at most six. */
export async function listRecentPrompts(ctx: Context): Promise<{ content: string }[]> {
  const user = requireUser(ctx);
  return ctx.db.all<{ content: string }>(sql`
    SELECT trim(m.content) AS content
    FROM (SELECT id, updated_at FROM chats WHERE user_id = ${user.id} AND archived = 0
      ORDER BY updated_at DESC, id DESC LIMIT ${maxChats}) c
    CROSS JOIN messages m ON m.chat_id = c.id AND m.parent_id IS NULL
    WHERE m.role = 'user' AND length(m.content) <= ${maxLength} AND trim(m.content) <> ''
    GROUP BY trim(m.content) ORDER BY max(c.updated_at) DESC, max(m.number) DESC LIMIT 6`);
}
