import { eq, sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { users } from "../../people/users/tables.ts";
import { folderSummaryOf } from "./folder-row.ts";
import { requireFolders } from "./folders.ts";
import { readableFolders, withFoldersIn } from "./readable-folders.ts";
import type { FolderSummary, SharedFolder } from "./schema.ts";
import { folders } from "./tables.ts";

/** The caller's own folders, at all depths, by name. */
export async function listFolders(ctx: Context): Promise<FolderSummary[]> {
  const user = requireFolders(ctx);
  const rows = await ctx.db
    .select()
    .from(folders)
    .where(eq(folders.userId, user.id))
    .orderBy(sql`${folders.name} COLLATE NOCASE`, folders.id);
  return rows.map(folderSummaryOf);
}

/** Folders that others share with the caller or that the caller shares, with all folders in them, by name. */
export async function listSharedFolders(ctx: Context): Promise<SharedFolder[]> {
  const user = requireFolders(ctx);
  const isShared = sql`${folders.id} IN ${withFoldersIn(sql`
    SELECT own.id FROM folders own JOIN grants g ON g.resource_type = 'folder' AND g.resource_id = own.id WHERE own.user_id = ${user.id}`)}`;
  return readFolders(ctx, user, sql`(${folders.userId} <> ${user.id} OR ${isShared})`);
}

/** All folders that the caller can read, by name. */
export async function listAllFolders(ctx: Context): Promise<SharedFolder[]> {
  return readFolders(ctx, requireFolders(ctx), sql`TRUE`);
}

async function readFolders(ctx: Context, user: User, condition: SQL): Promise<SharedFolder[]> {
  const rows = await ctx.db
    .select({
      row: folders,
      owner: users.name,
      canWrite: sql`${folders.id} IN ${readableFolders(user, "write")}`.mapWith(Boolean),
    })
    .from(folders)
    .innerJoin(users, eq(users.id, folders.userId))
    .where(sql`${folders.id} IN ${readableFolders(user)} AND ${condition}`)
    .orderBy(sql`${folders.name} COLLATE NOCASE`, folders.id);
  return rows.map(({ row, owner, canWrite }) => ({
    ...folderSummaryOf(row),
    // Whether its owner has it open is nothing to others.
    is_expanded: row.userId === user.id && row.isExpanded,
    user_id: row.userId,
    owner_name: owner,
    permission: canWrite ? "write" : "read",
  }));
}
