import { sql, type SQL } from "drizzle-orm";
import { hasPermission, type User } from "../../access.ts";
import { everyone } from "../../people/grants/grant.ts";
import { mayUse, type Right, type Shared, subjectOf } from "../../people/grants/may-use.ts";

const shared: Shared = { table: "folders", type: "folder" };

/** A condition over the table `folders` (under that name): whether it was shared with the person itself. */
function sharedWith(user: User, right: Right): SQL {
  // Folders are as private as chats: nobody sees others' because they administer something.
  return mayUse({ ...subjectOf(user), manages: sql`FALSE` }, right, shared);
}

/** A condition over the table `folders`: whether it is the person's, or was shared with them itself. */
export function givenFolder(user: User, right: Right = "read"): SQL {
  if (!hasPermission(user, "features.folders")) return sql`FALSE`;
  return sql`(folders.user_id = ${user.id} OR ${sharedWith(user, right)})`;
}

/**
 * A SELECT in brackets of the ids of all folders that the person may read or change now: their own, those shared with
 * them, and what is in these.
 */
export function readableFolders(user: User, right: Right = "read"): SQL {
  if (!hasPermission(user, "features.folders")) return sql`(SELECT NULL WHERE FALSE)`;
  const principals = JSON.stringify([
    ["user", user.id],
    ["user", everyone],
    ["organization", user.organizationId],
    ...user.groupIds.map((id) => ["group", id]),
  ]);
  return sql`(WITH RECURSIVE readable(id) AS (
    SELECT id FROM folders WHERE user_id = ${user.id}
    UNION SELECT folders.id FROM folders WHERE folders.id IN (
      SELECT g.resource_id FROM json_each(${principals}) p CROSS JOIN grants g
        ON g.principal_type = p.value ->> 0 AND g.principal_id = p.value ->> 1 AND g.resource_type = 'folder')
      AND ${sharedWith(user, right)}
    UNION SELECT f.id FROM readable JOIN folders f ON f.parent_id = readable.id) SELECT id FROM readable)`;
}

/** A SELECT in brackets of the ids of a folder, or of those that a SELECT finds, and of all in it. */
export function withFoldersIn(which: string | SQL): SQL {
  const start = typeof which === "string" ? sql`SELECT ${which}` : which;
  return sql`(WITH RECURSIVE inside(id) AS (
    ${start} UNION SELECT f.id FROM inside JOIN folders f ON f.parent_id = inside.id) SELECT id FROM inside)`;
}

/** The ways up from a folder: `WITH RECURSIVE ${wayUp(id)} SELECT ... FROM up`; `depth` is 0 at the folder itself. */
export function wayUp(id: string | SQL): SQL {
  return sql`up(id, parent_id, depth) AS (
    SELECT f.id, f.parent_id, 0 FROM folders f WHERE f.id = ${id}
    UNION ALL SELECT f.id, f.parent_id, up.depth + 1 FROM up JOIN folders f ON f.id = up.parent_id WHERE up.depth < 100)`;
}
