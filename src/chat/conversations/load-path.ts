import { sql, type SQL } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";
import { pictureType } from "../../shared/vision.ts";
import { fileIdIn, pictureIdOf } from "../pictures/read-references.ts";
import { historyOf } from "../tools/tool-history.ts";

/** A message as a model is told it; answers that called tools have their calls, and the results follow as messages of their own. */
export interface ModelMessage {
  role: string;
  content: string | Record<string, unknown>[] | null;
  tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** What the walk up the parents reads of each message. */
export interface PathRow {
  role: string;
  content: string;
  parts: string | null;
  files: string | null;
  /** Calls of tools, a JSON list: what the document of a copied message says of them, and what events have added. */
  output: string | null;
  tools: string | null;
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
    SELECT m.role, m.content, m.parts, m.extra->'files' AS files, m.extra->'output' AS output,
      CASE m.role WHEN 'assistant' THEN (SELECT json_group_array(json(i.data)) FROM (
        SELECT data FROM message_items WHERE chat_id = m.chat_id AND message_id = m.id AND kind = 'tool' ORDER BY number
      ) i) END AS tools
    FROM path JOIN messages m ON m.number = path.number ORDER BY path.depth DESC`;
}

/** Answers without any text are left out: they failed, or wait for this very call. */
export function toModelMessages(rows: readonly PathRow[]): ModelMessage[] {
  let calls = 0;
  // Nine letters and digits: every provider takes that, whichever made the calls. The same in each turn, for their caches.
  const newCallId = (): string => `call${String((calls += 1)).padStart(5, "0")}`;
  return rows.flatMap((row): ModelMessage[] => {
    const items = row.role === "assistant" ? [...listOf(row.output), ...listOf(row.tools)] : [];
    const told = items.length > 0 ? historyOf(row.content, items, newCallId) : [];
    if (told.length > 0) return told;
    const isSaid = row.role !== "assistant" || row.content !== "" || row.parts !== null;
    return isSaid ? [{ role: row.role, content: contentOf(row) }] : [];
  });
}

function listOf(json: string | null): unknown[] {
  const value = json === null ? [] : tryParseJson(json);
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Pictures are kept beside the text: as files of the service, or, by clients of the peer, with a data URL. */
function contentOf(row: PathRow): ModelMessage["content"] {
  if (row.parts !== null) return tryParseJson(row.parts) as Record<string, unknown>[];
  const pictures = listOf(row.files).flatMap((file) => {
    const url = isRecord(file) ? pictureIn(file) : undefined;
    return url === undefined ? [] : [{ type: "image_url", image_url: { url } }];
  });
  return pictures.length === 0 ? row.content : [{ type: "text", text: row.content }, ...pictures];
}

/** Where an attached file is a picture: its address, or its id. */
function pictureIn(file: Record<string, unknown>): string | undefined {
  const { type, url, content_type: contentType } = file;
  if (type === "image")
    return typeof url === "string" && /^(data:image\/|https:)/.test(url)
      ? url
      : fileIdIn(String(url ?? file["id"]), "");
  return typeof contentType === "string" && pictureType.test(contentType) ? pictureIdOf(file) : undefined;
}
