import { type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../../context.ts";
import { escapeLike } from "../../../db/like.ts";
import { newId } from "../../../lib/id.ts";
import { auditRowIf, auditRows } from "../../audit/audit-row.ts";
import { groupMembers, groups } from "../../groups/tables.ts";
import { defaultOrganizationId } from "../../organizations/default-organization.ts";
import { organizationOf } from "../../users/organization-of.ts";
import type { OidcProvider } from "./providers.ts";

/**
 * Makes the person's memberships equal to the groups claim: of the groups that apply (of the default organization and
 * of their own) and that SCIM does not manage, they join those in the claim and leave those that this provider had
 * added. Memberships set manually stay. Blocked groups are ignored.
 * @param names the groups in the claim
 * @param allowed SQL: whether this sign-in succeeds
 */
export function claimedGroupRows(
  ctx: Context,
  provider: OidcProvider,
  userId: string,
  names: readonly string[],
  allowed: SQL,
): BatchItem<"sqlite">[] {
  const now = ctx.now();
  const wanted = JSON.stringify(names);
  const patterns = JSON.stringify(
    ctx.settings.OAUTH_BLOCKED_GROUPS.map((name) => escapeLike(name).replaceAll("*", "%")),
  );
  const counts = sql`g.organization_id IN (${defaultOrganizationId}, ${organizationOf(userId)})`;
  const blocked = (name: SQL) =>
    sql`EXISTS (SELECT 1 FROM json_each(${patterns}) b WHERE ${name} LIKE b.value ESCAPE '\\')`;
  const isWanted = sql`g.name IN (SELECT value FROM json_each(${wanted}))`;
  const isMember = sql`EXISTS (SELECT 1 FROM ${groupMembers} m WHERE m.group_id = g.id AND m.user_id = ${userId})`;
  // By the index over lower(name) first: there may be thousands of groups.
  const joining = sql`SELECT g.id, g.name FROM ${groups} g
    WHERE lower(g.name) IN (SELECT lower(value) FROM json_each(${wanted})) AND ${isWanted}
      AND g.external_id IS NULL AND ${counts} AND NOT ${blocked(sql`g.name`)} AND NOT ${isMember}`;
  const leaving = sql`SELECT g.id, g.name FROM ${groupMembers} s JOIN ${groups} g ON g.id = s.group_id
    WHERE s.user_id = ${userId} AND s.source = ${provider.id} AND g.external_id IS NULL
      AND NOT ${isWanted} AND NOT ${blocked(sql`g.name`)}`;
  const namesOf = (rows: SQL) => sql`json((SELECT json_group_array(name) FROM (${rows})))`;
  const detail = sql`json_object('provider', ${provider.id}, 'added', ${namesOf(joining)}, 'removed', ${namesOf(leaving)})`;

  return [
    ...(ctx.settings.ENABLE_OAUTH_GROUP_CREATION ? creation() : []),
    auditRowIf(
      ctx,
      {
        action: "user.groups_synced",
        targetType: "user",
        targetId: userId,
        organizationId: organizationOf(userId),
        detail,
      },
      sql`${allowed} AND (EXISTS (${joining}) OR EXISTS (${leaving}))`,
    ),
    ctx.db
      .delete(groupMembers)
      .where(
        sql`${groupMembers.userId} = ${userId} AND ${allowed} AND ${groupMembers.groupId} IN (SELECT id FROM (${leaving}))`,
      ),
    ctx.db.run(sql`INSERT INTO group_members (group_id, user_id, source, created_at)
      SELECT id, ${userId}, ${provider.id}, ${now} FROM (${joining}) WHERE ${allowed}`),
  ];

  function creation(): BatchItem<"sqlite">[] {
    const made = names.map((name) => ({ id: newId(), name }));
    const exists = sql`EXISTS (SELECT 1 FROM ${groups} g WHERE lower(g.name) = lower(w.value ->> 'name') AND g.name = w.value ->> 'name' AND ${counts})`;
    return [
      ctx.db
        .run(sql`INSERT INTO groups (id, organization_id, name, description, permissions, share, created_at, updated_at)
        SELECT w.value ->> 'id', ${defaultOrganizationId}, w.value ->> 'name', ${`From ${provider.name}`}, '{}', 'members', ${now}, ${now}
        FROM json_each(${JSON.stringify(made)}) w
        WHERE ${allowed} AND NOT ${blocked(sql`w.value ->> 'name'`)} AND NOT ${exists}`),
      auditRows(
        ctx,
        {
          action: "group.created",
          targetType: "group",
          organizationId: defaultOrganizationId,
          detail: sql`json_object('name', t.name, 'provider', ${provider.id})`,
        },
        made.map(({ id }) => id),
        sql`SELECT id, name FROM ${groups}`,
      ),
    ];
  }
}
