import type { Context } from "../../context.ts";
import { isRecord } from "../../lib/json.ts";
import { createDocumentReader, type DocumentReader, type DocumentSource } from "../dialects/read-inline-document.ts";
import type { Item } from "./to-parts.ts";

/**
 * The items with files replaced by their text, and pictures as pictures. Files of the service are referenced by id and
 * stay unchanged.
 * @param signal cancels it
 * @throws AppError `bad_request` for a file that cannot be loaded or read, or for too many
 */
export async function readFiles(ctx: Context, items: readonly Item[], signal: AbortSignal): Promise<readonly Item[]> {
  if (!items.some(holdsFile)) return items;
  const reader = createDocumentReader(ctx, signal);
  const read: Item[] = [];
  // One after another: each may take what memory there is.
  for (const [at, item] of items.entries()) {
    const field = fieldOf(item);
    const parts = item[field];
    if (!holdsFile(item) || !Array.isArray(parts)) {
      read.push(item);
      continue;
    }
    const made: unknown[] = [];
    for (const [place, part] of parts.entries())
      made.push(isFile(part) ? await readFile(reader, part, `input.${at}.${field}.${place}`) : part);
    read.push({ ...item, [field]: made });
  }
  return read;
}

/** The field with the parts of an item: tool results have them as output. */
function fieldOf({ type }: Item): "content" | "output" {
  return typeof type === "string" && type.endsWith("_output") ? "output" : "content";
}

function holdsFile(item: Item): boolean {
  const parts = item[fieldOf(item)];
  return Array.isArray(parts) && parts.some(isFile);
}

function isFile(part: unknown): part is Item {
  if (!isRecord(part) || part["type"] !== "input_file") return false;
  return typeof part["file_data"] === "string" || typeof part["file_url"] === "string";
}

async function readFile(reader: DocumentReader, part: Item, path: string): Promise<Item> {
  const { file_data: data, file_url: url, filename } = part;
  if (typeof data === "string" && /^data:image\//i.test(data)) return { type: "input_image", image_url: data };
  const text = await reader.read(typeof data === "string" ? sourceOf(data) : { url: String(url) }, path);
  const named = typeof filename === "string" && filename !== "" ? ` title=${JSON.stringify(filename)}` : "";
  return { type: "input_text", text: `<document${named}>\n${text}\n</document>` };
}

/** A data URL, or plain base64 as some clients send it. */
function sourceOf(data: string): DocumentSource {
  const [, mediaType] = /^data:([^;,]*)/i.exec(data.slice(0, 200)) ?? [];
  if (mediaType === undefined) return { base64: data };
  return { base64: data.slice(data.indexOf(",") + 1), mediaType: mediaType || undefined };
}
