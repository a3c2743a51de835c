import { sql, type SQL } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { announce } from "../conversations/announce.ts";

export interface NewText {
  id: string;
  content: string;
}

/**
 * Gives messages of the caller's chat other texts, as filters and actions want them; what was there first is kept as
 * `originalContent`, as at the peer. Messages into which an answer is being written, and those that are gone, stay as they are.
 * Tabs are told. @returns those that changed
 */
export async function storeTexts(ctx: Context, chatId: string, texts: readonly NewText[]): Promise<NewText[]> {
  if (texts.length === 0) return [];
  const user = requireUser(ctx);
  const results = await runBatch(
    ctx.db,
    texts.map(({ id, content }) =>
      ctx.db.all<{ id: string }>(sql`
        UPDATE messages SET content = ${cleanText(content)}, parts = ${partsWith(cleanText(content))}, updated_at = ${ctx.now()},
          extra = CASE WHEN extra->'originalContent' IS NULL THEN json_set(extra, '$.originalContent', content) ELSE extra END
        WHERE chat_id = ${chatId} AND user_id = ${user.id} AND id = ${id} AND state <> 'streaming' AND content <> ${cleanText(content)}
        RETURNING id`),
    ),
  );
  const changed = texts.filter((_, at) => (results[at] as { id: string }[]).length > 0);
  announceTexts(ctx, chatId, changed);
  return changed;
}

/** The parts of a message with another text before its pictures and the like; null where it has none. */
function partsWith(text: string): SQL {
  return sql`CASE WHEN parts IS NULL THEN NULL ELSE (SELECT json_group_array(json(part)) FROM (
    SELECT -1 AS place, json_object('type', 'text', 'text', ${text}) AS part
    UNION ALL SELECT key, value FROM json_each(parts)
      WHERE CASE type WHEN 'object' THEN value ->> '$.type' IS NOT 'text' ELSE 0 END
    ORDER BY place)) END`;
}

/** Tells tabs of texts that are stored. */
function announceTexts(ctx: Context, chatId: string, texts: readonly NewText[]): void {
  const user = requireUser(ctx);
  for (const { id, content } of texts)
    announce(ctx, user.id, { chat_id: chatId, message_id: id, data: { type: "chat:message", data: { content } } });
}
