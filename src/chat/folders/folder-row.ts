import { eq, sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { readableFile, readableKnowledge } from "../../documents/knowledge/readable.ts";
import { cleanJson } from "../../lib/clean-text.ts";
import { grantView } from "../../people/grants/grant.ts";
import { grants } from "../../people/grants/tables.ts";
import { givenFolder, readableFolders, wayUp, withFoldersIn } from "./readable-folders.ts";
import type { FolderData, FolderSummary, FolderView } from "./schema.ts";
import { folders } from "./tables.ts";

type Row = typeof folders.$inferSelect;

/** In the column `meta`, keys of `data` that have no column are told from those of `meta` by this. */
const dataPrefix = "data:";

/** What clients keep, as it is stored; undefined if there is nothing. */
export function keptJson(
  data: FolderData | null | undefined,
  meta: Record<string, unknown> | null | undefined,
): string | undefined {
  const { system_prompt: _, files: _files, model_ids: _models, ...rest } = data ?? {};
  const kept = {
    ...meta,
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [dataPrefix + key, value])),
  };
  return Object.keys(kept).length === 0 ? undefined : cleanJson(kept);
}

function keptIn(row: Row, ofData: boolean): Record<string, unknown> {
  const entries = Object.entries(row.meta).filter(([key]) => key.startsWith(dataPrefix) === ofData);
  return Object.fromEntries(entries.map(([key, value]) => [ofData ? key.slice(dataPrefix.length) : key, value]));
}

export function folderSummaryOf(row: Row): FolderSummary {
  return {
    id: row.id,
    name: row.name,
    meta: keptIn(row, false),
    parent_id: row.parentId,
    is_expanded: row.isExpanded,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

/** SQL over `folder_references r`: the name of what it names, or NULL where the person may not read that. */
export function referenceName(user: User): SQL {
  return sql`CASE r.kind
    WHEN 'file' THEN (SELECT files.filename FROM files WHERE files.id = r.reference_id AND ${readableFile(user)})
    ELSE (SELECT knowledge.name FROM knowledge WHERE knowledge.id = r.reference_id AND ${readableKnowledge(user)}) END`;
}

interface Extra {
  can_write: 0 | 1;
  chat_count: number;
  folder_count: number;
  model_ids: string | null;
}

/** Statements that read a folder for `viewOf`, one after the other at the end of a batch. */
export function readBack({ db }: Pick<Context, "db">, user: User, id: string) {
  return [
    db
      .select()
      .from(folders)
      .where(sql`${folders.id} = ${id} AND ${folders.id} IN ${readableFolders(user)}`),
    db.all<Extra>(sql`
      SELECT ${id} IN ${readableFolders(user, "write")} AS can_write,
        (SELECT count(*) FROM chats WHERE +user_id = ${user.id} AND folder_id IN ${withFoldersIn(id)}) AS chat_count,
        (SELECT count(*) - 1 FROM ${withFoldersIn(id)}) AS folder_count,
        ${nearestModels(user, id)} AS model_ids`),
    db.all<{ type: "file" | "collection"; id: string; name: string }>(sql`
      SELECT * FROM (SELECT r.kind AS type, r.reference_id AS id, ${referenceName(user)} AS name, r.position
        FROM folder_references r WHERE r.folder_id = ${id}) WHERE name IS NOT NULL ORDER BY position`),
    db
      .select()
      .from(grants)
      .where(sql`${eq(grants.resourceType, "folder")} AND ${eq(grants.resourceId, id)}
        AND EXISTS (SELECT 1 FROM folders WHERE folders.id = ${id} AND folders.user_id = ${user.id})`)
      .orderBy(grants.id),
  ] as const;
}

type ReadBack = { [K in keyof ReturnType<typeof readBack>]: Awaited<ReturnType<typeof readBack>[K]> };

/** @returns undefined if the person cannot read it */
export function viewOf(results: readonly unknown[]): FolderView | undefined {
  const [[row], [extra], files, given] = results as ReadBack;
  if (!row) return undefined;
  return {
    ...folderSummaryOf(row),
    user_id: row.userId,
    data: { ...keptIn(row, true), system_prompt: row.instructions, files: files.map(fileOf), model_ids: row.modelIds },
    model_ids: extra?.model_ids ? (JSON.parse(extra.model_ids) as string[]) : [],
    access_grants: given.map(grantView),
    write_access: extra?.can_write === 1,
    chat_count: extra?.chat_count ?? 0,
    folder_count: extra?.folder_count ?? 0,
  };
}

function fileOf({ type, id, name }: { type: "file" | "collection"; id: string; name: string }) {
  return { type, id, name };
}

/** SQL: the models of the nearest folder, from this one up, that names some; as far up as the person can read. */
export function nearestModels(user: User, id: string): SQL {
  return sql`(WITH RECURSIVE ${wayUp(id)} SELECT folders.model_ids FROM up JOIN folders ON folders.id = up.id
    WHERE folders.model_ids <> '[]'
      AND up.depth <= (SELECT max(up.depth) FROM up JOIN folders ON folders.id = up.id WHERE ${givenFolder(user)})
    ORDER BY up.depth LIMIT 1)`;
}
