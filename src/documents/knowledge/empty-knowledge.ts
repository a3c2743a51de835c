import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { findWritable, getKnowledge, unknownKnowledge, writableBase } from "./knowledge.ts";
import { deletes, removeAllFiles } from "./remove-files.ts";
import type { KnowledgeView } from "./schema.ts";

export interface EmptyOptions {
  /** As for `removeFile`. */
  deleteFile?: boolean | undefined;
}

/**
 * Takes all files out of a base, some hundreds at a time: who dies in between has emptied a part.
 * @throws AppError `not_found`, `forbidden`
 */
export async function resetKnowledge(
  ctx: Context,
  id: string,
  { deleteFile, includeDirectories = true }: EmptyOptions & { includeDirectories?: boolean | undefined },
): Promise<KnowledgeView> {
  const { user, row } = await findWritable(ctx, id);
  await removeAllFiles(ctx, user, id, deleteFile);
  const writable = writableBase(user, id);
  await ctx.db.batch([
    auditRowIf(
      ctx,
      {
        action: "knowledge.emptied",
        targetType: "knowledge",
        targetId: id,
        organizationId: row.organizationId,
        detail: { name: row.name, include_directories: includeDirectories },
      },
      writable,
    ),
    ctx.db.run(sql`DELETE FROM knowledge_directories WHERE knowledge_id = ${id} AND parent_id IS NULL
      AND ${includeDirectories ? writable : sql`FALSE`}`),
  ]);
  return getKnowledge(ctx, id);
}

/**
 * Deletes a base; its grants, directories and places in models go with it.
 * @throws AppError `not_found`, `forbidden`
 */
export async function deleteKnowledge(ctx: Context, id: string, { deleteFile }: EmptyOptions): Promise<void> {
  const { user, row } = await findWritable(ctx, id);
  // Files first and in slices, so that no transaction is long; the base itself is there until they are gone.
  await removeAllFiles(ctx, user, id, deleteFile);
  const writable = writableBase(user, id);
  const [, deleted] = await ctx.db.batch([
    auditRowIf(
      ctx,
      {
        action: "knowledge.deleted",
        targetType: "knowledge",
        targetId: id,
        organizationId: row.organizationId,
        detail: { name: row.name, files: row.fileCount, delete_file: deletes(ctx, deleteFile) },
      },
      writable,
    ),
    ctx.db.run(sql`DELETE FROM knowledge WHERE id = ${id} AND ${writable}`),
  ]);
  if (deleted.rowsAffected === 0) throw unknownKnowledge();
}
