import { sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import type { files } from "../../documents/files/tables.ts";
import { readableFile, readableKnowledge } from "../../documents/knowledge/readable.ts";

type FileRow = typeof files.$inferSelect;

/** A file that the caller may read, and its processing state. */
export type KnownFile = Pick<
  FileRow,
  | "id"
  | "userId"
  | "filename"
  | "contentType"
  | "size"
  | "sha256"
  | "state"
  | "stage"
  | "progressDone"
  | "progressTotal"
  | "progressUnit"
  | "errorCode"
  | "error"
  | "version"
  | "textLength"
  | "chunkCount"
  | "createdAt"
  | "updatedAt"
>;

export interface KnownCollection {
  id: string;
  name: string;
  description: string;
}

export interface Documents {
  files: Map<string, KnownFile>;
  collections: Map<string, KnownCollection>;
}

/** Columns of a `KnownFile`. */
const fileColumns = sql.raw(
  Object.entries({
    userId: "user_id",
    contentType: "content_type",
    progressDone: "progress_done",
    progressTotal: "progress_total",
    progressUnit: "progress_unit",
    errorCode: "error_code",
    textLength: "text_length",
    chunkCount: "chunk_count",
    createdAt: "created_at",
    updatedAt: "updated_at",
  }).reduce(
    (columns, [name, column]) => `${columns}, files.${column} AS ${name}`,
    "files.id, files.filename, files.size, files.sha256, files.state, files.stage, files.error, files.version",
  ),
);
/** Maximum number of files of a collection that is wanted as a whole: more do not fit. */
const maxWholeFiles = 500;

/** The given files and collections that the caller may read now; one round trip. */
export async function findDocuments(
  ctx: Context,
  ids: { files: readonly string[]; collections: readonly string[] },
): Promise<Documents> {
  const user = requireUser(ctx);
  const [files, collections] = (await runBatch(ctx.db, [
    ctx.db.all<KnownFile>(sql`
      SELECT ${fileColumns}
      FROM files WHERE files.id IN (SELECT value FROM json_each(${JSON.stringify(ids.files)})) AND ${readableFile(user)}`),
    ctx.db.all<KnownCollection>(sql`
      SELECT id, name, description FROM knowledge
      WHERE knowledge.id IN (SELECT value FROM json_each(${JSON.stringify(ids.collections)})) AND ${readableKnowledge(user)}`),
  ])) as [KnownFile[], KnownCollection[]];
  return {
    files: new Map(files.map((file) => [file.id, file])),
    collections: new Map(collections.map((collection) => [collection.id, collection])),
  };
}

/** Whether there is a text to search; also while a file is processed again, or after that failed. */
export function isSearchable(file: KnownFile): boolean {
  return file.version > 0 && file.chunkCount > 0;
}

/** Searchable files of collections by name, if the caller may read them. One round trip. */
export async function filesOfCollections(ctx: Context, collections: readonly string[]): Promise<KnownFile[]> {
  return ctx.db.all<KnownFile>(sql`
    SELECT ${fileColumns} FROM files
    WHERE files.id IN (SELECT file_id FROM knowledge_files WHERE knowledge_id IN (SELECT value FROM json_each(${JSON.stringify(collections)})))
      AND files.version > 0 AND files.chunk_count > 0 AND ${readableFile(requireUser(ctx))}
    ORDER BY files.filename, files.id LIMIT ${maxWholeFiles}`);
}
