import { eq, type SQL, sql } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { sha256Hex } from "../../lib/sha256.ts";
import { grantedBeyond } from "../groups/granted-leaves.ts";
import { groups } from "../groups/tables.ts";
import { linkOver } from "../link-token.ts";
import { defaultOrganizationId } from "../organizations/default-organization.ts";
import { organizations } from "../organizations/tables.ts";
import { allPermissions, effectivePermissions, type FeatureSwitches, type PartialPermissions } from "../permissions.ts";
import { users } from "../users/tables.ts";
import { invitations } from "./tables.ts";

/** An invitation as it was read, with the person whose right it is. */
export interface FoundInvitation {
  id: string;
  email: string | null;
  role: "user" | "admin";
  organizationId: string | null;
  organization: string | null;
  groupIds: string[];
  expiresAt: number;
  inviter: { id: string; name: string };
  /** Holds while it can be used; for the batch that uses it. */
  isUsable: SQL;
}

/**
 * SQL: whether an invitation (`i`) still has what it needs: the person who invited manages where it leads to, the
 * organization is on, and every group is there and fits.
 */
export function isStanding(i: SQL): SQL {
  const mayInvite = sql`EXISTS (SELECT 1 FROM ${users} a JOIN ${organizations} h ON h.id = a.organization_id
    WHERE a.id = ${i}.invited_by AND a.active = 1 AND h.active = 1 AND (a.role = 'admin'
      OR (a.role = 'user' AND a.organization_role = 'admin' AND a.organization_id = ${i}.organization_id AND ${i}.role = 'user')))`;
  const isHomeOn = sql`(${i}.organization_id IS NULL
    OR EXISTS (SELECT 1 FROM ${organizations} o WHERE o.id = ${i}.organization_id AND o.active = 1))`;
  const haveGroups = sql`NOT EXISTS (SELECT 1 FROM json_each(${i}.group_ids) j WHERE NOT EXISTS (SELECT 1 FROM ${groups} g
    WHERE g.id = j.value AND ((${fitsHome(sql`g.organization_id`, sql`${i}.organization_id`)}))))`;
  return sql`(${mayInvite} AND ${isHomeOn} AND ${haveGroups})`;
}

/** SQL: a group takes people of its own organization; those of the default organization take everyone. */
export function fitsHome(groupOrganization: SQL, home: SQL): SQL {
  return sql`${groupOrganization} IN (coalesce(${home}, ${defaultOrganizationId}), ${defaultOrganizationId})`;
}

/** SQL: whether the invitation (`i`) was neither used nor taken back, and has not ended. */
export function isOpen(i: SQL, now: number): SQL {
  return sql`(${i}.used_at IS NULL AND ${i}.revoked_at IS NULL AND ${i}.expires_at > ${now})`;
}

interface Row {
  id: string;
  email: string | null;
  role: "user" | "admin";
  organization_id: string | null;
  organization: string | null;
  group_ids: string;
  expires_at: number;
  inviter_id: string;
  inviter_name: string;
  inviter_role: User["role"];
  inviter_groups: string;
  inviter_features: string;
  is_open: 0 | 1;
  is_standing: 0 | 1;
}

/**
 * The invitation of a link, if it can be used now.
 * @throws AppError `not_found` for a link that is unknown, used, taken back or over; `conflict` where what it needs is gone
 */
export async function findInvitation(ctx: Context, token: string): Promise<FoundInvitation> {
  const now = ctx.now();
  const i = sql.raw("i");
  const [row] = await ctx.db.all<Row>(sql`SELECT i.id, i.email, i.role, i.organization_id, i.group_ids, i.expires_at,
      (SELECT name FROM ${organizations} WHERE id = i.organization_id) AS organization,
      u.id AS inviter_id, u.name AS inviter_name, u.role AS inviter_role,
      (SELECT json_group_array(json(g.permissions)) FROM ${groups} g JOIN group_members m ON m.group_id = g.id
        WHERE m.user_id = u.id) AS inviter_groups,
      (SELECT features FROM ${organizations} WHERE id = u.organization_id) AS inviter_features,
      ${isOpen(i, now)} AS is_open, ${isStanding(i)} AS is_standing
    FROM ${invitations} i JOIN ${users} u ON u.id = i.invited_by WHERE i.token_hash = ${await sha256Hex(token)}`);
  if (!row?.is_open) throw linkOver();
  if (!row.is_standing) throw invitationVoid();
  const groupIds = JSON.parse(row.group_ids) as string[];
  const grantsNothingBeyond = sql.join(
    [sql`1`, ...groupIds.map((id) => sql`${grantedBeyond(inviterOf(ctx, row), id)} = '[]'`)],
    sql` AND `,
  );
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    organizationId: row.organization_id,
    organization: row.organization,
    groupIds,
    expiresAt: row.expires_at,
    inviter: { id: row.inviter_id, name: row.inviter_name },
    isUsable: sql`(EXISTS (SELECT 1 FROM ${invitations} i WHERE ${eq(sql`i.id`, row.id)} AND ${isOpen(i, now)} AND ${isStanding(i)})
      AND ${grantsNothingBeyond})`,
  };
}

/** What the person who invited may do now: a group may have got more permissions since. */
function inviterOf(ctx: Context, row: Row): Pick<User, "role" | "permissions"> {
  if (row.inviter_role === "admin") return { role: "admin", permissions: allPermissions };
  const permissions = effectivePermissions(
    ctx.defaultPermissions,
    JSON.parse(row.inviter_groups) as PartialPermissions[],
    JSON.parse(row.inviter_features) as FeatureSwitches,
  );
  return { role: row.inviter_role, permissions };
}

export function invitationVoid(): AppError {
  return new AppError(
    "conflict",
    "This invitation cannot be used any more, because something that it needs has changed. Ask for a new one",
  );
}
