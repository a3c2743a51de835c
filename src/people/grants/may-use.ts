import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import { everyone } from "./grant.ts";
import type { grants } from "./tables.ts";

export type Right = "read" | "write";

export type Reader = Pick<User, "id" | "role" | "organizationId" | "organizationRole" | "groupIds">;

/** The caller, as pieces of SQL. */
export interface Subject {
  id: SQL;
  organizationId: SQL;
  /** Whether they administer their organization. */
  manages: SQL;
  /** A list of ids, in brackets. */
  groupIds: SQL;
}

/**
 * A table whose rows belong to a person (`user_id`) in an organization (`organization_id`), and are shared by grants.
 */
export interface Shared {
  table: string;
  type: (typeof grants.$inferSelect)["resourceType"];
}

/** The person, with what is known in this request. */
export function subjectOf(user: Reader): Subject {
  return {
    id: sql`${user.id}`,
    organizationId: sql`${user.organizationId}`,
    manages: user.organizationRole === "admin" ? sql`TRUE` : sql`FALSE`,
    // Parameters of their own: a JSON list would be read again for each row.
    groupIds: sql`(${sql.join(
      user.groupIds.map((id) => sql`${id}`),
      sql`, `,
    )})`,
  };
}

/**
 * A condition over the table (under its own name) that keeps lists to what the caller may see, by indexes: no row of others is
 * looked at. It says nothing of rights: `mayUse` has to stand beside it. Not for one row, which its id finds sooner.
 */
export function amongUsable(user: Reader, { table, type }: Shared): SQL {
  const isOwn = user.organizationRole === "admin" ? sql`` : sql` AND user_id = ${user.id}`;
  const principals = [
    ["user", everyone],
    ["user", user.id],
    ["organization", user.organizationId],
    ...user.groupIds.map((id) => ["group", id] as const),
  ].map(([kind, id]) => sql`(${kind}, ${id})`);
  return sql`${sql.raw(table)}.id IN (
    SELECT id FROM ${sql.raw(table)} WHERE organization_id = ${user.organizationId}${isOwn}
    UNION SELECT resource_id FROM grants WHERE (principal_type, principal_id) IN (VALUES ${sql.join(principals, sql`, `)})
      AND resource_type = ${sql.raw(`'${type}'`)})`;
}

/**
 * A condition over the table (under its own name). Allowed are administrators of the row's organization; its owner
 * while in that organization; and grantees: everyone, an organization, and people and groups of the row's own
 * organization. Write access includes read access.
 */
export function mayUse({ id, organizationId, manages, groupIds }: Subject, right: Right, { table, type }: Shared): SQL {
  // Names are written out: drizzle leaves a column's table away where it sees one table alone, and `id` would be another's.
  const column = (name: string) => sql.raw(`${table}.${name}`);
  const isAtHome = sql`${column("organization_id")} = ${organizationId}`;
  const permission = right === "write" ? sql` AND g.permission = 'write'` : sql``;
  return sql`((${isAtHome} AND (${manages} OR ${column("user_id")} = ${id}))
    OR EXISTS (SELECT 1 FROM grants g WHERE g.resource_type = ${sql.raw(`'${type}'`)} AND g.resource_id = ${column("id")}${permission} AND (
      (g.principal_type = 'user' AND g.principal_id = ${everyone})
      OR (g.principal_type = 'organization' AND g.principal_id = ${organizationId})
      OR (${isAtHome} AND (
        (g.principal_type = 'user' AND g.principal_id = ${id}) OR (g.principal_type = 'group' AND g.principal_id IN ${groupIds}))))))`;
}
