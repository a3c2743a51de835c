import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { referenceName } from "./folder-row.ts";
import { withFoldersIn, wayUp } from "./readable-folders.ts";
import type { FolderData } from "./schema.ts";

/** SQL: whether the folder's owner has no other one of this name beside it. */
export function isNameFree(userId: SQL, parentId: SQL, name: SQL, except: string): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM folders beside WHERE beside.user_id = ${userId} AND beside.parent_id IS ${parentId}
    AND lower(beside.name) = lower(${name}) AND beside.id <> ${except})`;
}

/** SQL: how deep a folder is; 1 at the top, and 0 for none. */
export function depthOf(id: string | null): SQL {
  return id === null ? sql`0` : sql`(WITH RECURSIVE ${wayUp(id)} SELECT count(*) FROM up)`;
}

/** SQL: how many folders are below each other, from this one down. */
export function heightOf(id: string): SQL {
  return sql`(WITH RECURSIVE down(id, height) AS (
    SELECT ${id}, 1 UNION SELECT f.id, down.height + 1 FROM down JOIN folders f ON f.parent_id = down.id WHERE down.height < 100)
    SELECT max(height) FROM down)`;
}

/** SQL: whether a folder is the other one or somewhere in it. */
export function isInside(id: string, other: string): SQL {
  return sql`${id} IN ${withFoldersIn(other)}`;
}

/**
 * Statements that set the files and knowledge bases of a folder, if `condition` holds. Those that the person cannot read
 * stay: they were not shown.
 */
export function setReferences(
  ctx: Context,
  user: User,
  id: string,
  files: NonNullable<FolderData["files"]>,
  condition: SQL,
) {
  const rows = JSON.stringify(files.map((file) => [file.type, file.id]));
  return [
    ctx.db.run(sql`DELETE FROM folder_references WHERE folder_id = ${id} AND ${condition}
      AND rowid IN (SELECT r.rowid FROM folder_references r WHERE r.folder_id = ${id} AND ${referenceName(user)} IS NOT NULL)`),
    ctx.db.run(sql`
      INSERT INTO folder_references (folder_id, kind, reference_id, position)
      SELECT ${id}, r.kind, r.reference_id, r.position
      FROM (SELECT value ->> 0 AS kind, value ->> 1 AS reference_id, key AS position FROM json_each(${rows})) r
      WHERE ${condition} AND ${referenceName(user)} IS NOT NULL
      ON CONFLICT DO NOTHING`),
  ];
}
