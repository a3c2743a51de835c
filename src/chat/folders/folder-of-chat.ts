import { sql, type SQL } from "drizzle-orm";
import { requireUser, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { nearestModels } from "./folder-row.ts";
import { readableFolders } from "./readable-folders.ts";

export function unknownFolder(param?: string): AppError {
  return new AppError("not_found", "No such folder", param === undefined ? {} : { param });
}

/** SQL: the id, or NULL where the person cannot read that folder at the moment of the write. */
export function readableFolderId(user: User, id: string): SQL {
  return sql`(SELECT ${id} WHERE ${id} IN ${readableFolders(user)})`;
}

/**
 * A folder for a chat of the caller, with the models that a new chat in it takes.
 * @throws AppError `not_found`
 */
export async function findFolderForChat(ctx: Context, id: string): Promise<{ modelIds: string[] }> {
  const user = requireUser(ctx);
  const [found] = await ctx.db.all<{ model_ids: string | null }>(
    sql`SELECT ${nearestModels(user, id)} AS model_ids WHERE ${id} IN ${readableFolders(user)}`,
  );
  if (!found) throw unknownFolder("folder_id");
  return { modelIds: found.model_ids === null ? [] : (JSON.parse(found.model_ids) as string[]) };
}

/** Whether the caller can read that folder. */
export async function isReadableFolder(ctx: Context, id: string): Promise<boolean> {
  const found = await ctx.db.all(sql`SELECT 1 WHERE ${id} IN ${readableFolders(requireUser(ctx))}`);
  return found.length > 0;
}
