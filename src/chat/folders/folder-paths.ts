import { eq, sql } from "drizzle-orm";
import { hasPermission, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isReadableFolder } from "./folder-of-chat.ts";
import { createFolder } from "./folders.ts";
import { readableFolders } from "./readable-folders.ts";
import { maxFolderDepth } from "./schema.ts";
import { folders } from "./tables.ts";

interface Named {
  id: string;
  parentId: string | null;
  name: string;
}

const columns = { id: folders.id, parentId: folders.parentId, name: folders.name };

/** The names on the way to each folder that the caller can read, the outermost first, by id. One round trip. */
export async function loadFolderPaths(ctx: Context): Promise<Map<string, string[]>> {
  const rows = await ctx.db
    .select(columns)
    .from(folders)
    .where(sql`${folders.id} IN ${readableFolders(requireUser(ctx))}`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const pathTo = (row: Named): string[] => {
    const parent = row.parentId === null ? undefined : byId.get(row.parentId);
    return parent ? [...pathTo(parent), row.name] : [row.name];
  };
  return new Map(rows.map((row) => [row.id, pathTo(row)]));
}

/** What an export says of the folder of a chat. */
export interface InFolder {
  folder_id?: string | null | undefined;
  folder_path?: string[] | null | undefined;
}

/**
 * Finds the folders of exported chats: the same folder if the caller can read it, otherwise their own folder with that path,
 * which is created if it is missing. A chat goes into no folder if its folder is unknown, or cannot be created.
 */
export class FolderFinder {
  readonly #ctx: Context;
  readonly #known = new Map<string, Promise<string | null>>();
  #own: Promise<Named[]> | undefined;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  async find({ folder_id: id, folder_path: path }: InFolder): Promise<string | null> {
    if (!hasPermission(requireUser(this.#ctx), "features.folders")) return null;
    if (id && (await this.#once(`id ${id}`, async () => ((await isReadableFolder(this.#ctx, id)) ? id : null))))
      return id;
    return path && path.length > 0 && path.length <= maxFolderDepth ? this.#atPath(path) : null;
  }

  #once(key: string, find: () => Promise<string | null>): Promise<string | null> {
    const found = this.#known.get(key) ?? find();
    this.#known.set(key, found);
    return found;
  }

  #atPath(path: readonly string[]): Promise<string | null> {
    return this.#once(`path ${JSON.stringify(path)}`, async () => {
      const parentId = path.length === 1 ? null : await this.#atPath(path.slice(0, -1));
      if (path.length > 1 && parentId === null) return null;
      const name = path.at(-1)!.trim();
      this.#own ??= this.#loadOwn();
      const isIt = (row: Named) => row.parentId === parentId && row.name.toLowerCase() === name.toLowerCase();
      return (await this.#own).find(isIt)?.id ?? this.#make(name, parentId);
    });
  }

  async #make(name: string, parentId: string | null): Promise<string | null> {
    try {
      return (await createFolder(this.#ctx, { name, parent_id: parentId })).id;
    } catch (error) {
      // As many folders as there may be, or one of that name that has just come.
      if (error instanceof AppError) return null;
      throw error;
    }
  }

  #loadOwn(): Promise<Named[]> {
    return this.#ctx.db
      .select(columns)
      .from(folders)
      .where(eq(folders.userId, requireUser(this.#ctx).id));
  }
}
