import { sql, type SQL } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { announce } from "../conversations/announce-chats.ts";

export interface NewText {
  id: string;
  content: string;
}

/**
 * Replaces texts of messages in the caller's chat for filters and actions; the original text is kept as
 * `originalContent`, as in Open WebUI. Messages that are being written or were deleted stay unchanged. Tabs are told.
 * @returns the changed messages
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

/** The parts of the message with another text before its pictures and other parts; null if it has no parts. */
function partsWith(text: string): SQL {
  return sql`CASE WHEN parts IS NULL THEN NULL ELSE (SELECT json_group_array(json(part)) FROM (
    SELECT -1 AS place, json_object('type', 'text', 'text', ${text}) AS part
    UNION ALL SELECT key, value FROM json_each(parts)
      WHERE CASE type WHEN 'object' THEN value ->> '$.type' IS NOT 'text' ELSE 0 END
    ORDER BY place)) END`;
}

/** Tells tabs about stored texts. */
function announceTexts(ctx: Context, chatId: string, texts: readonly NewText[]): void {
  const user = requireUser(ctx);
  for (const { id, content } of texts)
    announce(ctx, user.id, { chat_id: chatId, message_id: id, data: { type: "chat:message", data: { content } } });
}
