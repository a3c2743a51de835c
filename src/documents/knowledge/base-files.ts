import { and, asc, count, desc, eq, sql, type SQL } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { containsWords } from "../../db/contains-words.ts";
import { AppError } from "../../errors.ts";
import { users } from "../../people/users/tables.ts";
import { viewColumns, viewOf, type ViewRow } from "../files/file-view.ts";
import { files } from "../files/tables.ts";
import { unknownKnowledge } from "./knowledge.ts";
import { readableKnowledge } from "./readable.ts";
import type { BaseFile, BaseFiles, BaseFilesQuery, DirectoryView } from "./schema.ts";
import { knowledge, knowledgeDirectories, knowledgeFiles } from "./tables.ts";

/** Directories of one answer. */
const maxDirectories = 2000;

export const baseFileColumns = {
  file: viewColumns,
  directoryId: knowledgeFiles.directoryId,
  path: knowledgeFiles.path,
  addedAt: knowledgeFiles.createdAt,
  owner: users.name,
};

export interface BaseFileRow {
  file: ViewRow;
  directoryId: string | null;
  path: string | null;
  addedAt: number;
  owner: string | null;
}

export function baseFile({ file, directoryId, path, addedAt, owner }: BaseFileRow): BaseFile {
  return {
    ...viewOf(file),
    directory_id: directoryId,
    path,
    user: owner === null ? null : { id: file.userId, name: owner },
    added_at: addedAt,
  };
}

/**
 * Files of a base, a page of them: of one directory, or of all. With words, also what lies below the directory. One round trip.
 * @throws AppError `not_found` for a base that the caller may not see, or a directory that is not in it
 */
export async function listBaseFiles(ctx: Context, id: string, input: BaseFilesQuery): Promise<BaseFiles> {
  const user = requireUser(ctx);
  const { directory_id: directory } = input;
  const isSearch = input.query !== undefined && input.query.trim() !== "";
  const readable = sql`EXISTS (SELECT 1 FROM knowledge WHERE knowledge.id = ${id} AND ${readableKnowledge(user)})`;
  const own = sql`files.user_id = ${user.id}`;
  const fits = and(
    eq(knowledgeFiles.knowledgeId, id),
    readable,
    inDirectory(directory, isSearch),
    containsWords(input.query, [sql.raw("files.filename"), sql.raw("coalesce(knowledge_files.path, '')")]),
    input.view_option === "created" ? own : input.view_option === "shared" ? sql`NOT (${own})` : undefined,
  );
  const [bases, crumbs, rows, [counted], directories] = await ctx.db.batch([
    ctx.db
      .select({ id: knowledge.id })
      .from(knowledge)
      .where(sql`knowledge.id = ${id} AND ${readableKnowledge(user)}`),
    ctx.db.all<{ id: string; name: string }>(breadcrumbs(id, directory ?? "")),
    ctx.db
      .select(baseFileColumns)
      .from(knowledgeFiles)
      .innerJoin(files, eq(files.id, knowledgeFiles.fileId))
      .leftJoin(users, eq(users.id, files.userId))
      .where(fits)
      .orderBy(...orderOf(input))
      .limit(input.limit)
      .offset((input.page - 1) * input.limit),
    ctx.db
      .select({ total: count() })
      .from(knowledgeFiles)
      .innerJoin(files, eq(files.id, knowledgeFiles.fileId))
      .where(fits),
    ctx.db
      .select()
      .from(knowledgeDirectories)
      .where(
        and(
          eq(knowledgeDirectories.knowledgeId, id),
          readable,
          input.page === 1 ? undefined : sql`FALSE`,
          directory === undefined
            ? undefined
            : directory === ""
              ? sql`knowledge_directories.parent_id IS NULL`
              : eq(knowledgeDirectories.parentId, directory),
          isSearch ? containsWords(input.query, [sql.raw("knowledge_directories.name")]) : undefined,
        ),
      )
      .orderBy(sql`knowledge_directories.name COLLATE NOCASE`, knowledgeDirectories.id)
      .limit(maxDirectories),
  ]);
  if (!bases[0]) throw unknownKnowledge();
  if (directory !== undefined && directory !== "" && crumbs.length === 0)
    throw new AppError("not_found", "No such directory in the knowledge base", { param: "directory_id" });
  return {
    items: rows.map(baseFile),
    directories: directories.map(directoryView),
    breadcrumbs: crumbs,
    total: counted?.total ?? 0,
  };
}

function inDirectory(directory: string | undefined, isSearch: boolean): SQL | undefined {
  if (directory === undefined || (directory === "" && isSearch)) return undefined;
  if (directory === "") return sql`knowledge_files.directory_id IS NULL`;
  return isSearch
    ? sql`knowledge_files.directory_id IN ${subtree(directory)}`
    : eq(knowledgeFiles.directoryId, directory);
}

/** A directory and all that lies below it: SQL that can stand behind IN. */
export function subtree(directoryId: string): SQL {
  return sql`(WITH RECURSIVE below (id) AS (
    SELECT ${directoryId} UNION SELECT d.id FROM knowledge_directories d JOIN below ON d.parent_id = below.id) SELECT id FROM below)`;
}

function breadcrumbs(knowledgeId: string, directoryId: string): SQL {
  return sql`WITH RECURSIVE above (id, name, parent_id, level) AS (
      SELECT id, name, parent_id, 0 FROM knowledge_directories WHERE id = ${directoryId} AND knowledge_id = ${knowledgeId}
      UNION SELECT d.id, d.name, d.parent_id, above.level + 1 FROM knowledge_directories d JOIN above ON d.id = above.parent_id
    ) SELECT id, name FROM above ORDER BY level DESC`;
}

function orderOf(input: BaseFilesQuery): SQL[] {
  const column = {
    name: sql`files.filename COLLATE NOCASE`,
    filename: sql`files.filename COLLATE NOCASE`,
    created_at: sql.raw("files.created_at"),
    updated_at: sql.raw("max(files.updated_at, files.created_at)"),
    size: sql.raw("files.size"),
  }[input.order_by ?? "updated_at"];
  const isName = input.order_by === "name" || input.order_by === "filename";
  const order = (input.direction ?? (isName ? "asc" : "desc")) === "asc" ? asc : desc;
  return [order(column), order(files.id)];
}

export function directoryView(row: typeof knowledgeDirectories.$inferSelect): DirectoryView {
  return {
    id: row.id,
    knowledge_id: row.knowledgeId,
    parent_id: row.parentId,
    name: row.name,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}
