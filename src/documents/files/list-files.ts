import { count, desc, eq, sql, type SQL } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { escapeLike } from "../../db/like.ts";
import { viewColumns, viewOf } from "./file-view.ts";
import type { FileView } from "./schema.ts";
import { files } from "./tables.ts";

/** Files in one page of the list. */
const pageSize = 50;

/** One's own files, of system administrators everybody's; newest first. Texts are never in lists. */
export async function listFiles(ctx: Context, page: number): Promise<{ items: FileView[]; total: number }> {
  const { db } = ctx;
  const where = visible(ctx);
  const [rows, [counted]] = await db.batch([
    select(ctx, where)
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    db.select({ total: count() }).from(files).where(where),
  ]);
  return { items: rows.map(viewOf), total: counted?.total ?? 0 };
}

/**
 * Those whose names fit a pattern, in which `*` is any text and `?` any letter; upper and lower case are the same. None is an
 * empty list.
 */
export async function searchFiles(
  ctx: Context,
  { filename, skip, limit }: { filename: string; skip: number; limit: number },
): Promise<FileView[]> {
  const pattern = escapeLike(filename).replaceAll(/\*+/g, "%").replaceAll("?", "_");
  const where = sql`${visible(ctx)} AND ${files.filename} LIKE ${pattern} ESCAPE '\\'`;
  return (await select(ctx, where).limit(limit).offset(skip)).map(viewOf);
}

export async function countFiles(ctx: Context): Promise<number> {
  const [counted] = await ctx.db.select({ total: count() }).from(files).where(visible(ctx));
  return counted?.total ?? 0;
}

function select({ db }: Context, where: SQL) {
  return db.select(viewColumns).from(files).where(where).orderBy(desc(files.createdAt), desc(files.id));
}

function visible(ctx: Context): SQL {
  const user = requireUser(ctx);
  return user.role === "admin" ? sql`TRUE` : eq(files.userId, user.id);
}
