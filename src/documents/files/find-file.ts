import { and, eq, sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { type KnowledgeRight, readableFile } from "../knowledge/readable.ts";
import { viewColumns, type ViewRow } from "./file-view.ts";
import { files } from "./tables.ts";

export interface FoundFile extends ViewRow {
  version: number;
  textLength: number;
  textSha256: string | null;
}

/**
 * A file that the caller may read, or change. One round trip.
 * @throws AppError `not_found`, also without access; `forbidden` for one that they may only read
 */
export async function findFile(ctx: Context, id: string, right: KnowledgeRight = "read"): Promise<FoundFile> {
  const user = requireUser(ctx);
  const [row] = await ctx.db
    .select({
      ...viewColumns,
      version: files.version,
      textLength: files.textLength,
      textSha256: files.textSha256,
      isAllowed: right === "read" ? sql<number>`1` : sql<number>`${readableFile(user, right)}`,
    })
    .from(files)
    .where(and(eq(files.id, id), readableFile(user)));
  if (!row) throw noFile();
  const { isAllowed, ...file } = row;
  if (!isAllowed) throw new AppError("forbidden", "You may read this file, but not change it");
  return file;
}

export function noFile(): AppError {
  return new AppError("not_found", "No such file");
}
