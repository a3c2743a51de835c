import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { baseWithFiles, readBackWithFiles } from "./files-of-base.ts";
import { findWritable, homeOf, writableBase } from "./knowledge.ts";
import { linkReady } from "./link-file.ts";
import type { KnowledgeWithFiles } from "./schema.ts";

/** Files of one transaction. */
const sliceLength = 500;

/**
 * Removes a file from a knowledge base: invisible there from the next request on. A waiting file with the same content
 * takes its place.
 * @param deleteFile whether the file is also deleted, if it is the caller's own, in no other base and in no chat;
 *   undefined: the setting
 * @throws AppError `not_found` for a base or file that does not exist, `forbidden`
 */
export async function removeFile(
  ctx: Context,
  id: string,
  fileId: string,
  deleteFile: boolean | undefined,
): Promise<KnowledgeWithFiles> {
  const { user } = await findWritable(ctx, id);
  const back = readBackWithFiles(ctx, user, id, []);
  const results = await runBatch(ctx.db, [
    ctx.db.all(sql`SELECT 1 AS found WHERE ${isInBase(id, sql`(${fileId})`)}`),
    auditRowIf(
      ctx,
      {
        action: "knowledge.file_removed",
        targetType: "knowledge",
        targetId: id,
        organizationId: homeOf(id),
        detail: { file_id: fileId, delete_file: deletes(ctx, deleteFile) },
      },
      sql`${isInBase(id, sql`(${fileId})`)} AND ${writableBase(user, id)}`,
    ),
    ...removalStatements(ctx, user, id, sql`(${fileId})`, deletes(ctx, deleteFile)),
    ...back,
  ]);
  if ((results[0] as unknown[]).length === 0)
    throw new AppError("not_found", "No such file in the knowledge base", { param: "file_id" });
  return baseWithFiles(results);
}

/**
 * The same for many files, some hundreds at a time; missing ones are ignored.
 * @returns how many were removed
 * @throws AppError `not_found`, `forbidden`
 */
export async function removeFiles(
  ctx: Context,
  id: string,
  fileIds: readonly string[],
  deleteFile: boolean | undefined,
): Promise<number> {
  const { user } = await findWritable(ctx, id);
  let removed = 0;
  for (let at = 0; at < fileIds.length; at += sliceLength) {
    removed += await removeSlice(ctx, user, id, fileIds.slice(at, at + sliceLength), deletes(ctx, deleteFile));
  }
  return removed;
}

/**
 * Removes all files from a knowledge base, including waiting ones. Files added meanwhile may stay.
 * @param below SQL for use after IN: only files of these directories
 */
export async function removeAllFiles(
  ctx: Context,
  user: User,
  id: string,
  deleteFile: boolean | undefined,
  below?: SQL,
): Promise<number> {
  const inside = below ? sql`directory_id IN ${below}` : sql`TRUE`;
  const within = (table: string) => sql`SELECT file_id FROM ${sql.raw(table)} WHERE knowledge_id = ${id} AND ${inside}`;
  const all = sql`(${within("knowledge_files")} UNION ALL ${within("knowledge_waiting")})`;
  const [counted] = await ctx.db.all<{ files: number }>(sql`SELECT count(*) AS files FROM ${all}`);
  let removed = 0;
  for (let left = counted!.files; left > 0; left -= sliceLength) {
    // Which they are is found once: each statement of a batch would find others after the one before.
    const rows = await ctx.db.all<{ file_id: string }>(sql`SELECT file_id FROM ${all} LIMIT ${sliceLength}`);
    if (rows.length === 0) break;
    const ids = rows.map((row) => row.file_id);
    removed += await removeSlice(ctx, user, id, ids, deletes(ctx, deleteFile));
  }
  return removed;
}

async function removeSlice(
  ctx: Context,
  user: User,
  id: string,
  fileIds: readonly string[],
  deleteFiles: boolean,
): Promise<number> {
  const among = sql`(SELECT value FROM json_each(${JSON.stringify(fileIds)}))`;
  const writable = writableBase(user, id);
  const results = await runBatch(ctx.db, [
    ctx.db
      .all(sql`SELECT count(*) AS files FROM (SELECT file_id FROM knowledge_files WHERE knowledge_id = ${id} AND file_id IN ${among}
      UNION SELECT file_id FROM knowledge_waiting WHERE knowledge_id = ${id} AND file_id IN ${among}) WHERE ${writable}`),
    auditRowIf(
      ctx,
      {
        action: "knowledge.files_removed",
        targetType: "knowledge",
        targetId: id,
        organizationId: homeOf(id),
        detail: { file_ids: fileIds, delete_file: deleteFiles },
      },
      sql`${isInBase(id, among)} AND ${writable}`,
    ),
    ...removalStatements(ctx, user, id, among, deleteFiles),
  ]);
  return (results[0] as { files: number }[])[0]!.files;
}

/** Whether removed files are deleted: as requested, or as in the setting. */
export function deletes(ctx: Context, deleteFile: boolean | undefined): boolean {
  return deleteFile ?? !ctx.settings.ENABLE_KNOWLEDGE_FILE_RETENTION;
}

function isInBase(id: string, among: SQL): SQL {
  return sql`(EXISTS (SELECT 1 FROM knowledge_files WHERE knowledge_id = ${id} AND file_id IN ${among})
    OR EXISTS (SELECT 1 FROM knowledge_waiting WHERE knowledge_id = ${id} AND file_id IN ${among}))`;
}

function removalStatements(
  ctx: Context,
  user: User,
  id: string,
  among: SQL,
  deleteFiles: boolean,
): BatchItem<"sqlite">[] {
  const { db } = ctx;
  const writable = writableBase(user, id);
  return [
    db.run(
      sql`UPDATE knowledge SET updated_at = max(updated_at, ${ctx.now()}) WHERE id = ${id} AND ${writable} AND ${isInBase(id, among)}`,
    ),
    // First, while it is known which were in the base: a file that was never there is nobody's to delete here.
    ...(deleteFiles
      ? [
          db.run(sql`DELETE FROM files WHERE id IN ${among} AND +user_id = ${user.id} AND chat_id IS NULL AND ${writable}
            AND (EXISTS (SELECT 1 FROM knowledge_files kf WHERE kf.file_id = files.id AND kf.knowledge_id = ${id})
              OR EXISTS (SELECT 1 FROM knowledge_waiting w WHERE w.file_id = files.id AND w.knowledge_id = ${id}))
            AND NOT EXISTS (SELECT 1 FROM knowledge_files kf WHERE kf.file_id = files.id AND kf.knowledge_id <> ${id})
            AND NOT EXISTS (SELECT 1 FROM knowledge_waiting w WHERE w.file_id = files.id AND w.knowledge_id <> ${id})
            AND NOT EXISTS (SELECT 1 FROM model_knowledge m WHERE m.kind = 'file' AND m.target_id = files.id)`),
        ]
      : []),
    db.run(sql`DELETE FROM knowledge_files WHERE knowledge_id = ${id} AND file_id IN ${among} AND ${writable}`),
    db.run(sql`DELETE FROM knowledge_waiting WHERE knowledge_id = ${id} AND file_id IN ${among} AND ${writable}`),
    ...linkReady(db, sql`w.knowledge_id = ${id}`),
  ];
}
