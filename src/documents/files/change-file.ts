import { eq, sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { readableFile } from "../knowledge/readable.ts";
import { cleanName } from "./clean-name.ts";
import { viewColumns, viewOf } from "./file-view.ts";
import { findFile, noFile } from "./find-file.ts";
import type { FileView } from "./schema.ts";
import { files } from "./tables.ts";

/** @throws AppError `not_found`, `forbidden` */
export async function renameFile(ctx: Context, id: string, filename: string): Promise<FileView> {
  const user = requireUser(ctx);
  const name = cleanName(filename);
  const { db } = ctx;
  const [, , [row]] = await db.batch([
    db.run(
      sql`UPDATE files SET filename = ${name}, updated_at = ${ctx.now()} WHERE id = ${id} AND ${readableFile(user, "write")}`,
    ),
    auditRowIf(ctx, { action: "file.renamed", targetType: "file", targetId: id, detail: { filename: name } }),
    db
      .select(viewColumns)
      .from(files)
      .where(sql`${files.id} = ${id} AND ${readableFile(user, "write")}`),
  ]);
  if (row) return viewOf(row);
  throw await refusal(ctx, id);
}

/**
 * Deletes a file with its texts, passages and bytes: from the next request on nobody finds it. Its owner's and system
 * administrators' right alone.
 * @throws AppError `not_found`, `forbidden`
 */
export async function deleteFile(ctx: Context, id: string): Promise<void> {
  const user = requireUser(ctx);
  const { db } = ctx;
  const isOwn = user.role === "admin" ? sql`TRUE` : eq(files.userId, user.id);
  const [deleted] = await db.batch([
    db.run(sql`DELETE FROM files WHERE id = ${id} AND ${isOwn}`),
    auditRowIf(ctx, { action: "file.deleted", targetType: "file", targetId: id }),
  ]);
  if (deleted.rowsAffected > 0) return;
  await findFile(ctx, id);
  throw new AppError("forbidden", "Only its owner can delete this file");
}

/** Why a change found nothing to change. */
async function refusal(ctx: Context, id: string): Promise<AppError> {
  await findFile(ctx, id, "write");
  return noFile();
}
