import { sql, type SQL } from "drizzle-orm";
import { isRecord, tryParseJson } from "../../lib/json.ts";
import { pictureType } from "../../shared/vision.ts";
import { fileIdIn, pictureIdOf } from "../pictures/read-references.ts";
import { historyOf } from "../tools/tool-history.ts";

/**
 * A message in the form that a model receives; answers with tool calls contain them, and the results follow as separate
 * messages.
 */
export interface ModelMessage {
  role: string;
  content: string | Record<string, unknown>[] | null;
  tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** What is read of each message while walking up the parents. */
export interface PathRow {
  id: string;
  role: string;
  content: string;
  parts: string | null;
  files: string | null;
  /** Tool calls, a JSON list: from the document of a copied message, and from events. */
  output: string | null;
  tools: string | null;
  /** Of what was said before it, for models whose context that would fill. */
  summary: string | null;
}

/** The branch that ends with the message: walks up the parents by the primary index; the rows come root first. */
export function selectPath(chatId: string, userId: string, messageId: SQL): SQL {
  return sql`
    WITH RECURSIVE path(number, parent_id, depth) AS (
      SELECT number, parent_id, 0 FROM messages WHERE chat_id = ${chatId} AND user_id = ${userId} AND id = ${messageId}
      UNION ALL
      SELECT m.number, m.parent_id, path.depth + 1 FROM path JOIN messages m ON m.chat_id = ${chatId} AND m.id = path.parent_id
    )
    SELECT m.id, m.role, m.content, m.extra->>'contextSummary' AS summary, m.parts, m.extra->'files' AS files, m.extra->'output' AS output,
      CASE m.role WHEN 'assistant' THEN (SELECT json_group_array(json(i.data)) FROM (
        SELECT data FROM message_items WHERE chat_id = m.chat_id AND message_id = m.id AND kind = 'tool' ORDER BY number
      ) i) END AS tools
    FROM path JOIN messages m ON m.number = path.number ORDER BY path.depth DESC`;
}

/** Answers without text are left out: they failed, or are the one being written. */
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

/** Pictures are stored beside the text: as files of the service, or with a data URL by Open WebUI's clients. */
function contentOf(row: PathRow): ModelMessage["content"] {
  if (row.parts !== null) return tryParseJson(row.parts) as Record<string, unknown>[];
  const pictures = listOf(row.files).flatMap((file) => {
    const url = isRecord(file) ? pictureIn(file) : undefined;
    return url === undefined ? [] : [{ type: "image_url", image_url: { url } }];
  });
  return pictures.length === 0 ? row.content : [{ type: "text", text: row.content }, ...pictures];
}

/** The address or id of an attached file, if it is a picture. */
function pictureIn(file: Record<string, unknown>): string | undefined {
  const { type, url, content_type: contentType } = file;
  if (type === "image")
    return typeof url === "string" && /^(data:image\/|https:)/.test(url)
      ? url
      : fileIdIn(String(url ?? file["id"]), "");
  return typeof contentType === "string" && pictureType.test(contentType) ? pictureIdOf(file) : undefined;
}
