import { sql, type SQL } from "drizzle-orm";
import type { User } from "../access.ts";
import { organizations } from "./organizations/tables.ts";
import { users } from "./users/tables.ts";

/**
 * SQL for the conditions of a batch: whether who acts still is what let the request in: an active system administrator, or
 * administrator of the organization that was their home then. Two administrators who act on each other at the same moment
 * cannot both win.
 */
export function stillManages(actor: User): SQL {
  const right =
    actor.role === "admin"
      ? sql`a.role = 'admin'`
      : sql`a.role = 'user' AND a.organization_role = 'admin' AND a.organization_id = ${actor.organizationId}`;
  return sql`EXISTS (SELECT 1 FROM ${users} a JOIN ${organizations} h ON h.id = a.organization_id
    WHERE a.id = ${actor.id} AND a.active = 1 AND h.active = 1 AND ${right})`;
}

/** What the actor manages, as a condition on the column with the organization: everything, or what is of theirs. */
export function managedBy(actor: User, organizationId: SQL): SQL {
  return actor.role === "admin" ? sql`1` : sql`${organizationId} = ${actor.organizationId}`;
}

/** SQL: whether a system administrator who can sign in remains without this person. */
export function otherAdministrator(userId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${users} u JOIN ${organizations} o ON o.id = u.organization_id
    WHERE u.role = 'admin' AND u.active = 1 AND o.active = 1 AND u.id <> ${userId})`;
}

/** SQL: id of the first administrator of all who is one still; nobody else changes that account. */
export const firstAdministrator = sql`(SELECT id FROM ${users} WHERE role = 'admin' ORDER BY created_at, id LIMIT 1)`;
