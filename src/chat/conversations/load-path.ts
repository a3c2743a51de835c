import { sql, type SQL } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";

/** A message as a model is told it. */
export interface ModelMessage {
  role: string;
  content: string | Record<string, unknown>[];
}

/** What the walk up the parents reads of each message. */
export interface PathRow {
  role: string;
  content: string;
  parts: string | null;
  files: string | null;
}

/**
 * The branch that ends with the message, from the first message on, for a model.
 * @throws AppError `not_found` for a message that is unknown or in nobody's chat but the caller's.
 */
export async function loadPath(ctx: Context, chatId: string, messageId: string): Promise<ModelMessage[]> {
  const rows = await ctx.db.all<PathRow>(selectPath(chatId, requireUser(ctx).id, sql`${messageId}`));
  if (rows.length === 0) throw new AppError("not_found", `There is no message ${messageId} in a chat of yours`);
  return toModelMessages(rows);
}

/** Walks up the parents by the primary index; the rows come from the first message on. */
export function selectPath(chatId: string, userId: string, messageId: SQL): SQL {
  return sql`
    WITH RECURSIVE path(number, parent_id, depth) AS (
      SELECT number, parent_id, 0 FROM messages WHERE chat_id = ${chatId} AND user_id = ${userId} AND id = ${messageId}
      UNION ALL
      SELECT m.number, m.parent_id, path.depth + 1 FROM path JOIN messages m ON m.chat_id = ${chatId} AND m.id = path.parent_id
    )
    SELECT m.role, m.content, m.parts, m.extra->'files' AS files
    FROM path JOIN messages m ON m.number = path.number ORDER BY path.depth DESC`;
}

/** Answers without any text are left out: they failed, or wait for this very call. */
export function toModelMessages(rows: readonly PathRow[]): ModelMessage[] {
  return rows
    .filter((row) => row.role !== "assistant" || row.content !== "" || row.parts !== null)
    .map((row) => ({ role: row.role, content: contentOf(row) }));
}

/** Clients of the peer keep pictures beside the text, as files with a data URL. */
function contentOf(row: PathRow): ModelMessage["content"] {
  if (row.parts !== null) return tryParseJson(row.parts) as Record<string, unknown>[];
  const files = row.files === null ? [] : tryParseJson(row.files);
  const pictures = (Array.isArray(files) ? files : []).flatMap((file: unknown) => {
    const isPicture = isRecord(file) && file["type"] === "image" && typeof file["url"] === "string";
    return isPicture && /^(data:image\/|https:)/.test(file["url"] as string)
      ? [{ type: "image_url", image_url: { url: file["url"] } }]
      : [];
  });
  return pictures.length === 0 ? row.content : [{ type: "text", text: row.content }, ...pictures];
}
