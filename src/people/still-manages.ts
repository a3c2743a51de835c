import { sql, type SQL } from "drizzle-orm";
import type { User } from "../access.ts";
import { organizations } from "./organizations/tables.ts";
import { users } from "./users/tables.ts";

/**
 * SQL for the conditions of a batch: whether the actor still is what they were when the request was accepted: an active
 * system administrator, or administrator of their organization at that time. Two administrators who act on each other
 * at the same time cannot both succeed.
 */
export function stillManages(actor: User): SQL {
  const right =
    actor.role === "admin"
      ? sql`a.role = 'admin'`
      : sql`a.role = 'user' AND a.organization_role = 'admin' AND a.organization_id = ${actor.organizationId}`;
  return sql`EXISTS (SELECT 1 FROM ${users} a JOIN ${organizations} h ON h.id = a.organization_id
    WHERE a.id = ${actor.id} AND a.active = 1 AND h.active = 1 AND ${right})`;
}

/** The actor's scope, as a condition on the organization column: everything, or their own organization. */
export function managedBy(actor: User, organizationId: SQL): SQL {
  return actor.role === "admin" ? sql`1` : sql`${organizationId} = ${actor.organizationId}`;
}

/** SQL: whether another system administrator who can sign in remains. */
export function otherAdministrator(userId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${users} u JOIN ${organizations} o ON o.id = u.organization_id
    WHERE u.role = 'admin' AND u.kind = 'person' AND u.active = 1 AND o.active = 1 AND u.id <> ${userId})`;
}

/** SQL: id of the earliest administrator who still is one; only that person can change the account. */
export const firstAdministrator = sql`(SELECT id FROM ${users} WHERE role = 'admin' AND kind = 'person' ORDER BY created_at, id LIMIT 1)`;
