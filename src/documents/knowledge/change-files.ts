import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { processFile } from "../files/process-file.ts";
import { unknownDirectory } from "./directories.ts";
import { baseWithFiles, readBackWithFiles } from "./files-of-base.ts";
import { findWritable, homeOf, writableBase } from "./knowledge.ts";
import type { KnowledgeWithFiles } from "./schema.ts";

/** Puts a file of a base, or one that waits for it, into a directory or to the top. @throws AppError `not_found`, `forbidden` */
export async function moveFile(
  ctx: Context,
  id: string,
  { file_id: fileId, directory_id: directoryId }: { file_id: string; directory_id: string | null },
): Promise<void> {
  const { user } = await findWritable(ctx, id);
  const exists =
    directoryId === null
      ? sql`TRUE`
      : sql`EXISTS (SELECT 1 FROM knowledge_directories WHERE id = ${directoryId} AND knowledge_id = ${id})`;
  const move = (table: "knowledge_files" | "knowledge_waiting") =>
    ctx.db.run(sql`UPDATE ${sql.raw(table)} SET directory_id = ${directoryId}
      WHERE knowledge_id = ${id} AND file_id = ${fileId} AND ${exists} AND ${writableBase(user, id)}`);
  const [linked, , waiting, , [place]] = await ctx.db.batch([
    move("knowledge_files"),
    auditMove(ctx, id, fileId, directoryId),
    move("knowledge_waiting"),
    auditMove(ctx, id, fileId, directoryId),
    ctx.db.all<{ directory: number }>(sql`SELECT ${exists} AS directory`),
  ]);
  if (linked.rowsAffected + waiting.rowsAffected > 0) return;
  if (!place?.directory) throw unknownDirectory();
  throw unknownFile();
}

function auditMove(ctx: Context, id: string, fileId: string, directoryId: string | null) {
  return auditRowIf(ctx, {
    action: "knowledge.file_moved",
    targetType: "knowledge",
    targetId: id,
    organizationId: homeOf(id),
    detail: { file_id: fileId, directory_id: directoryId },
  });
}

/**
 * Sees to it that a file of a base is found by what it says. What is searched follows a file's text by itself, so only a file
 * that could not be read before is read again.
 * @throws AppError `not_found`, `forbidden`
 */
export async function refreshFile(ctx: Context, id: string, fileId: string): Promise<KnowledgeWithFiles> {
  const { user } = await findWritable(ctx, id);
  const [row] = await ctx.db.all<{ state: string }>(sql`
    SELECT files.state FROM files WHERE files.id = ${fileId} AND (
      EXISTS (SELECT 1 FROM knowledge_files kf WHERE kf.knowledge_id = ${id} AND kf.file_id = files.id)
      OR EXISTS (SELECT 1 FROM knowledge_waiting w WHERE w.knowledge_id = ${id} AND w.file_id = files.id))`);
  if (!row) throw unknownFile();
  if (row.state === "failed" || row.state === "stored") await processFile(ctx, fileId);
  return baseWithFiles(await ctx.db.batch(readBackWithFiles(ctx, user, id, [fileId])));
}

function unknownFile(): AppError {
  return new AppError("not_found", "No such file in the knowledge base", { param: "file_id" });
}
