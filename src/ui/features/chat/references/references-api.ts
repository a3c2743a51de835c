import { api } from "../../../lib/api.ts";
import { filesApi } from "../../../lib/files/files-api.ts";
import { isRecord, textField } from "../../../lib/live/live-state.ts";
import type { SentFile } from "../attachments/attachment.ts";

/** Something that can be put beside a message, and what is said of it. */
export interface Reference extends SentFile {
  /** Of bases. */
  description: string;
  files: number | undefined;
  /** Of files: the base that it was found in. */
  base: string;
}

const maxFound = 8;

/**
 * Bases and files whose names fit, of those that the caller may read; bases first. What can be found is given also when another
 * part of the search fails.
 * @throws ApiError when all of it fails
 */
export async function findReferences(query: string, signal: AbortSignal): Promise<Reference[]> {
  const lists = await Promise.allSettled([
    api<unknown>("GET", "/api/v1/knowledge/search", { query: { query }, signal }).then((answer) =>
      itemsOf(answer).slice(0, maxFound).map(readBase),
    ),
    filesApi.search(query, maxFound, signal).then((found) =>
      found
        .filter(({ state }) => state.status !== "failed")
        .map(({ id, name, contentType, size }): Reference => ({
          type: "file",
          id,
          name,
          content_type: contentType,
          size,
          description: "",
          files: undefined,
          base: "",
        })),
    ),
    api<unknown>("GET", "/api/v1/knowledge/search/files", { query: { query }, signal }).then((answer) =>
      itemsOf(answer).slice(0, maxFound).map(readFile),
    ),
  ]);
  const found = lists.flatMap((list) => (list.status === "fulfilled" ? list.value : []));
  const failed = lists.find((list) => list.status === "rejected");
  if (failed && found.length === 0) throw failed.reason;
  const seen = new Set<string>();
  return found.filter(({ type, id }) => {
    const isNew = id !== "" && !seen.has(`${type} ${id}`);
    seen.add(`${type} ${id}`);
    return isNew;
  });
}

function itemsOf(answer: unknown): unknown[] {
  return isRecord(answer) && Array.isArray(answer["items"]) ? answer["items"] : [];
}

function readBase(item: unknown): Reference {
  const files = isRecord(item) && typeof item["file_count"] === "number" ? item["file_count"] : undefined;
  return {
    type: "collection",
    id: textField(item, "id"),
    name: textField(item, "name"),
    description: textField(item, "description"),
    files,
    base: "",
  };
}

function readFile(item: unknown): Reference {
  const meta = isRecord(item) && isRecord(item["meta"]) ? item["meta"] : {};
  const base = isRecord(item) ? (item["collection"] ?? item["knowledge"]) : undefined;
  const contentType = textField(meta, "content_type");
  return {
    type: "file",
    id: textField(item, "id"),
    name: textField(item, "filename") || textField(meta, "name"),
    ...(contentType ? { content_type: contentType } : {}),
    ...(typeof meta["size"] === "number" ? { size: meta["size"] } : {}),
    description: "",
    files: undefined,
    base: textField(base, "name"),
  };
}
