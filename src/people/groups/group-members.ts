import { and, eq, sql } from "drizzle-orm";
import { requireManager } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { auditRowIf } from "../audit/audit-row.ts";
import { defaultOrganizationId } from "../organizations/default-organization.ts";
import { recheckPeople } from "../recheck.ts";
import { managedBy } from "../still-manages.ts";
import { users } from "../users/tables.ts";
import { shortUserColumns, toShortUser } from "../users/user-columns.ts";
import { grantedBeyond, requireNone } from "./granted-leaves.ts";
import { mayChangeGroup, organizationOf, selectExported, toExportedGroup, unknownGroup } from "./group-rows.ts";
import type { ExportedGroup, GroupMember } from "./schema.ts";
import { groupMembers, groups } from "./tables.ts";

/**
 * The members by name; an organization's administrators see those of their organization.
 * @throws AppError `not_found`.
 */
export async function listMembers(ctx: Context, groupId: string): Promise<GroupMember[]> {
  const actor = requireManager(ctx);
  const members = ctx.db
    .select(shortUserColumns)
    .from(groupMembers)
    .innerJoin(users, eq(users.id, groupMembers.userId))
    // The plus keeps SQLite from beginning with all people of the organization.
    .where(and(eq(groupMembers.groupId, groupId), managedBy(actor, sql`+users.organization_id`)))
    .orderBy(sql`users.name COLLATE NOCASE`, users.id);
  const [known, rows] = await ctx.db.batch([
    ctx.db
      .select({ id: groups.id })
      .from(groups)
      .where(and(eq(groups.id, groupId), managedBy(actor, sql`groups.organization_id`))),
    members,
  ]);
  if (known.length === 0) throw unknownGroup();
  return rows.map((row) => toShortUser(ctx, row));
}

/**
 * Adds people: all of them or, if one is unknown, none. Members added by a sign-in provider become permanent. A group
 * of the default organization accepts anyone, a group of another organization only its people; an organization's
 * administrators add its people, and only to groups without permissions that they do not have.
 * @throws AppError `not_found` for the group; `forbidden` with the permission; `validation_failed` with the number of
 *   unknown people.
 */
export async function addMembers(ctx: Context, groupId: string, userIds: string[]): Promise<ExportedGroup> {
  const actor = requireManager(ctx);
  const given = [...new Set(userIds)];
  const ids = JSON.stringify(given);
  const fitting = sql`SELECT u.id FROM users u JOIN groups g ON g.organization_id IN (u.organization_id, ${defaultOrganizationId})
    WHERE g.id = ${groupId} AND u.id IN (SELECT value FROM json_each(${ids})) AND ${managedBy(actor, sql`u.organization_id`)}`;
  const missing = sql`(${given.length} - (SELECT count(*) FROM (${fitting})))`;
  const may = mayChangeGroup(actor, groupId);
  const beyond = grantedBeyond(actor, groupId);
  const allowed = sql`(${may} AND ${missing} = 0 AND ${beyond} = '[]')`;
  const [[state], , , rows] = await ctx.db.batch([
    ctx.db.all<{ may: number; missing: number; beyond: string }>(
      sql`SELECT ${may} AS may, ${missing} AS missing, ${beyond} AS beyond`,
    ),
    ctx.db.run(
      sql`INSERT INTO group_members (group_id, user_id, created_at) SELECT ${groupId}, id, ${ctx.now()} FROM (${fitting}) WHERE ${allowed}
        ON CONFLICT DO UPDATE SET source = NULL WHERE source IS NOT NULL`,
    ),
    auditRowIf(ctx, {
      action: "group.members_added",
      targetType: "group",
      targetId: groupId,
      organizationId: organizationOf(groupId),
      detail: { user_ids: given },
    }),
    selectExported(ctx, actor, groupId),
  ]);
  if (!state!.may) throw unknownGroup();
  requireNone(state!.beyond);
  if (state!.missing > 0) {
    const message = `${state!.missing} of these people are unknown or do not belong to the group's organization`;
    throw new AppError("validation_failed", `user_ids: ${message}`, {
      param: "user_ids",
      issues: [{ path: "user_ids", message }],
    });
  }
  await recheckPeople(ctx, given);
  return toExportedGroup(rows);
}

/**
 * Removes people; non-members are ignored.
 * @throws AppError `not_found`.
 */
export async function removeMembers(ctx: Context, groupId: string, userIds: string[]): Promise<ExportedGroup> {
  const actor = requireManager(ctx);
  const may = mayChangeGroup(actor, groupId);
  const leaving = sql`${groupMembers.userId} IN (SELECT u.id FROM users u
    WHERE u.id IN (SELECT value FROM json_each(${JSON.stringify(userIds)})) AND ${managedBy(actor, sql`u.organization_id`)})`;
  const [gone, , rows] = await ctx.db.batch([
    ctx.db
      .delete(groupMembers)
      .where(and(eq(groupMembers.groupId, groupId), leaving, may))
      .returning({ userId: groupMembers.userId }),
    auditRowIf(ctx, {
      action: "group.members_removed",
      targetType: "group",
      targetId: groupId,
      organizationId: organizationOf(groupId),
      detail: { user_ids: userIds },
    }),
    selectExported(ctx, actor, groupId),
  ]);
  const group = toExportedGroup(rows);
  await recheckPeople(
    ctx,
    gone.map((member) => member.userId),
  );
  return group;
}
