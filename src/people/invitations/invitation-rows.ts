import { type SQL, sql } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { groups } from "../groups/tables.ts";
import { managedBy } from "../still-manages.ts";
import { users } from "../users/tables.ts";
import type { Invitation } from "./schema.ts";
import { invitations } from "./tables.ts";
import { isOpen, isStanding } from "./usable-invitation.ts";

/** Most that a list shows. */
const maxShown = 500;

interface Row {
  id: string;
  state: Invitation["state"];
  email: string | null;
  role: Invitation["role"];
  organization_id: string | null;
  groups: string;
  invited_by: string;
  invited_by_name: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
  used_by: string | null;
  used_by_name: string | null;
}

/** SQL: the invitations that the actor manages: all, or those into their organization. */
export function ofManaged(actor: User): SQL {
  return managedBy(actor, sql`i.organization_id`);
}

/** Invitations, newest first, with the state of this moment. */
export function selectInvitations(ctx: Context, where: SQL) {
  const i = sql.raw("i");
  return ctx.db
    .all<Row>(sql`SELECT i.id, i.email, i.role, i.organization_id, i.invited_by, i.created_at, i.expires_at, i.used_at, i.used_by,
      CASE WHEN i.used_at IS NOT NULL THEN 'used' WHEN i.revoked_at IS NOT NULL THEN 'revoked'
        WHEN NOT ${isOpen(i, ctx.now())} THEN 'expired' WHEN ${isStanding(i)} THEN 'open' ELSE 'void' END AS state,
      (SELECT json_group_array(json_object('id', g.id, 'name', g.name)) FROM ${groups} g
        WHERE g.id IN (SELECT value FROM json_each(i.group_ids))) AS groups,
      a.name AS invited_by_name, n.name AS used_by_name
    FROM ${invitations} i JOIN ${users} a ON a.id = i.invited_by LEFT JOIN ${users} n ON n.id = i.used_by
    WHERE ${where} ORDER BY i.created_at DESC, i.id DESC LIMIT ${maxShown}`);
}

export function toInvitation(row: Row): Invitation {
  return {
    id: row.id,
    state: row.state,
    email: row.email,
    role: row.role,
    organization_id: row.organization_id,
    groups: JSON.parse(row.groups) as Invitation["groups"],
    invited_by: { id: row.invited_by, name: row.invited_by_name },
    created_at: row.created_at,
    expires_at: row.expires_at,
    used_at: row.used_at,
    used_by: row.used_by === null ? null : { id: row.used_by, name: row.used_by_name ?? "" },
  };
}
