import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { isUniqueViolation } from "../../db/database-error.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { directoryView, subtree } from "./base-files.ts";
import { findWritable, homeOf, writableBase } from "./knowledge.ts";
import { removeAllFiles } from "./remove-files.ts";
import { maxDepth, type DirectoryChange, type DirectoryView } from "./schema.ts";
import { knowledgeDirectories } from "./tables.ts";

/** How many directories one base has. */
const maxDirectories = 20_000;

export function unknownDirectory(param = "directory_id"): AppError {
  return new AppError("not_found", "No such directory in the knowledge base", { param });
}

/** @throws AppError `not_found`, `forbidden`; `conflict` for a name that is taken there, or too many or too deep ones */
export async function createDirectory(
  ctx: Context,
  id: string,
  input: { name: string; parent_id: string | null },
): Promise<DirectoryView> {
  const { user } = await findWritable(ctx, id);
  const { name, parent_id: parentId } = input;
  const row = newId();
  const now = ctx.now();
  const room = sql`(SELECT count(*) FROM knowledge_directories WHERE knowledge_id = ${id}) < ${maxDirectories}`;
  const inserted = ctx.db
    .insert(knowledgeDirectories)
    .select(
      sql`SELECT ${row}, ${id}, ${parentId}, ${name}, ${now}, ${now} WHERE ${writableBase(user, id)} AND ${room} AND ${canHold(id, parentId)}`,
    )
    .returning();
  const [rows, , , [place]] = await ctx.db
    .batch([
      inserted,
      auditRowIf(ctx, {
        action: "knowledge.directory_created",
        targetType: "knowledge",
        targetId: id,
        organizationId: homeOf(id),
        detail: { directory_id: row, name },
      }),
      ctx.db.run(sql`UPDATE knowledge SET updated_at = max(updated_at, ${now}) WHERE id = ${id} AND changes() > 0`),
      ctx.db.all<{ room: number; parent: number }>(
        sql`SELECT ${room} AS room, ${parentId === null ? sql`TRUE` : sql`EXISTS (SELECT 1 FROM knowledge_directories WHERE id = ${parentId} AND knowledge_id = ${id})`} AS parent`,
      ),
    ])
    .catch((error: unknown) => refuseTaken(error, name));
  if (rows[0]) return directoryView(rows[0]);
  if (!place?.parent) throw unknownDirectory("parent_id");
  if (!place.room) throw new AppError("conflict", `A knowledge base can have at most ${maxDirectories} directories`);
  throw tooDeep();
}

function tooDeep(): AppError {
  return new AppError("conflict", `Directories can be nested at most ${maxDepth} levels deep`, { param: "parent_id" });
}

/** Whether a directory fits there: the place is in the base, and not too deep. @param height how many levels it has itself */
function canHold(id: string, parentId: string | null, height: SQL = sql`1`): SQL {
  if (parentId === null) return sql`TRUE`;
  return sql`(WITH RECURSIVE above (id, level) AS (
      SELECT parent_id, 1 FROM knowledge_directories WHERE id = ${parentId} AND knowledge_id = ${id}
      UNION ALL SELECT d.parent_id, above.level + 1 FROM knowledge_directories d JOIN above ON d.id = above.id WHERE above.level <= ${maxDepth}
    ) SELECT count(*) >= 1 AND count(*) + ${height} <= ${maxDepth} FROM above)`;
}

function heightOf(directoryId: string): SQL {
  return sql`(WITH RECURSIVE below (id, level) AS (
    SELECT ${directoryId}, 1 UNION ALL SELECT d.id, below.level + 1 FROM knowledge_directories d JOIN below ON d.parent_id = below.id
    WHERE below.level <= ${maxDepth}) SELECT max(level) FROM below)`;
}

function refuseTaken(error: unknown, name: string): never {
  if (!isUniqueViolation(error, "knowledge_directories")) throw error;
  throw new AppError("conflict", `A directory named ${name} already exists`, { param: "name" });
}

/** Renames or moves a directory. @throws as `createDirectory`; `validation_failed` for a place inside itself */
export async function changeDirectory(
  ctx: Context,
  id: string,
  directoryId: string,
  change: DirectoryChange,
): Promise<DirectoryView> {
  const { user } = await findWritable(ctx, id);
  const parentId = change.parent_id === "" ? null : change.parent_id;
  const moves = parentId !== undefined;
  const isBelow = sql`${parentId ?? null} IN ${subtree(directoryId)}`;
  const [rows, , [place]] = await ctx.db
    .batch([
      ctx.db
        .update(knowledgeDirectories)
        .set({
          updatedAt: ctx.now(),
          ...(change.name !== undefined ? { name: change.name } : {}),
          ...(moves ? { parentId } : {}),
        })
        .where(
          and(
            eq(knowledgeDirectories.id, directoryId),
            eq(knowledgeDirectories.knowledgeId, id),
            writableBase(user, id),
            typeof parentId === "string"
              ? sql`NOT (${isBelow}) AND ${canHold(id, parentId, heightOf(directoryId))}`
              : undefined,
          ),
        )
        .returning(),
      auditRowIf(ctx, {
        action: "knowledge.directory_updated",
        targetType: "knowledge",
        targetId: id,
        organizationId: homeOf(id),
        detail: { directory_id: directoryId, ...change },
      }),
      ctx.db.all<{ directory: number; parent: number; below: number }>(sql`SELECT
        EXISTS (SELECT 1 FROM knowledge_directories WHERE id = ${directoryId} AND knowledge_id = ${id}) AS directory,
        ${parentId ?? null} IS NULL OR EXISTS (SELECT 1 FROM knowledge_directories WHERE id = ${parentId ?? null} AND knowledge_id = ${id}) AS parent,
        ${isBelow} AS below`),
    ])
    .catch((error: unknown) => refuseTaken(error, change.name ?? "of this name"));
  if (rows[0]) return directoryView(rows[0]);
  if (!place?.directory) throw unknownDirectory("dir_id");
  if (!place.parent) throw unknownDirectory("parent_id");
  if (place.below)
    throw new AppError("validation_failed", "A directory cannot be moved into itself", { param: "parent_id" });
  throw tooDeep();
}

/**
 * Deletes a directory and those inside it.
 * @param moveFiles whether their files move up to where it was; else they leave the base as with `removeFile`
 * @throws AppError `not_found`, `forbidden`
 */
export async function deleteDirectory(
  ctx: Context,
  id: string,
  directoryId: string,
  { moveFiles = true, deleteFile }: { moveFiles?: boolean | undefined; deleteFile?: boolean | undefined },
): Promise<void> {
  const { user } = await findWritable(ctx, id);
  const here = sql`(SELECT id FROM knowledge_directories WHERE id = ${directoryId} AND knowledge_id = ${id})`;
  const below = subtree(directoryId);
  const [found] = await ctx.db.all(sql`SELECT 1 WHERE EXISTS ${here}`);
  if (!found) throw unknownDirectory("dir_id");
  if (!moveFiles) await removeAllFiles(ctx, user, id, deleteFile, below);
  const writable = writableBase(user, id);
  const up = sql`(SELECT parent_id FROM knowledge_directories WHERE id = ${directoryId})`;
  const move = (table: SQL) => sql`UPDATE ${table} SET directory_id = ${up}
    WHERE knowledge_id = ${id} AND EXISTS ${here} AND directory_id IN ${below} AND ${writable}`;
  const [, , , deleted] = await ctx.db.batch([
    ctx.db.run(move(sql.raw("knowledge_files"))),
    ctx.db.run(move(sql.raw("knowledge_waiting"))),
    auditRowIf(
      ctx,
      {
        action: "knowledge.directory_deleted",
        targetType: "knowledge",
        targetId: id,
        organizationId: homeOf(id),
        detail: { directory_id: directoryId, move_files: moveFiles },
      },
      sql`EXISTS ${here} AND ${writable}`,
    ),
    ctx.db.run(sql`DELETE FROM knowledge_directories WHERE id IN ${here} AND ${writable}`),
  ]);
  if (deleted.rowsAffected === 0) throw unknownDirectory("dir_id");
}

/** Deletes those of the directories that hold nothing, from the inmost. @returns how many there were */
export async function removeEmptyDirectories(ctx: Context, id: string, ids: readonly string[]): Promise<number> {
  const { user } = await findWritable(ctx, id);
  const list = JSON.stringify(ids);
  const writable = writableBase(user, id);
  let removed = 0;
  for (let level = 0; level <= maxDepth; level++) {
    const [{ rowsAffected }] = await ctx.db.batch([
      ctx.db.run(sql`
        DELETE FROM knowledge_directories WHERE knowledge_id = ${id} AND id IN (SELECT value FROM json_each(${list})) AND ${writable}
          AND NOT EXISTS (SELECT 1 FROM knowledge_directories d WHERE d.parent_id = knowledge_directories.id)
          AND NOT EXISTS (SELECT 1 FROM knowledge_files f WHERE f.directory_id = knowledge_directories.id)
          AND NOT EXISTS (SELECT 1 FROM knowledge_waiting w WHERE w.directory_id = knowledge_directories.id)`),
      auditRowIf(ctx, {
        action: "knowledge.directories_deleted",
        targetType: "knowledge",
        targetId: id,
        organizationId: homeOf(id),
        detail: sql`json_object('directories', changes())`,
      }),
    ]);
    removed += rowsAffected;
    if (rowsAffected === 0 || removed === ids.length) break;
  }
  return removed;
}
