import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import { readableFile } from "../../documents/knowledge/readable.ts";
import { AppError } from "../../errors.ts";
import { cleanJson, cleanText } from "../../lib/clean-text.ts";
import type { MessageChange } from "./schema.ts";

type Given = Pick<MessageChange, "files" | "data" | "meta">;

/** What messages of webhooks and models have in `meta`: nobody else may look like one. */
const ownMeta: ReadonlySet<string> = new Set(["webhook", "model_id", "model_name"]);

/** Ids of the files beside a message, each once; undefined where nothing is said of files. */
export function namedFiles({ files, data }: Given): string[] | undefined {
  const inData = data?.["files"] as { id: string }[] | null | undefined;
  if (!files && !inData) return undefined;
  return [...new Set([...(files ?? []), ...(inData ?? [])].map((file) => cleanText(file.id)))];
}

/** What is kept of `data`: files have rows of their own. */
export function keptData({ data }: Given): Record<string, unknown> | undefined {
  if (!data) return undefined;
  const { files: _, ...kept } = data;
  return clean(kept);
}

export function keptMeta({ meta }: Given): Record<string, unknown> | undefined {
  return meta && clean(Object.fromEntries(Object.entries(meta).filter(([name]) => !ownMeta.has(name))));
}

function clean(value: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(cleanJson(value)) as Record<string, unknown>;
}

/** @throws AppError `validation_failed` for a message without anything in it */
export function requireText(content: string, fileIds: readonly string[]): string {
  const text = cleanText(content);
  if (text.trim() === "" && fileIds.length === 0)
    throw new AppError("validation_failed", "A message needs text or a file", {
      param: "content",
      issues: [{ path: "content", message: "expected text that is not empty" }],
    });
  return text;
}

/** A condition: whether the person reads all of these files, and so may pass them on. */
export function readsFiles(user: User, fileIds: readonly string[]): SQL {
  if (fileIds.length === 0) return sql`TRUE`;
  return sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(fileIds)}) e
    WHERE NOT EXISTS (SELECT 1 FROM files WHERE files.id = e.value AND ${readableFile(user)}))`;
}
