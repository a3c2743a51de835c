import { and, eq, sql } from "drizzle-orm";
import { requireAdmin } from "../../access.ts";
import { auditRowIf } from "../../audit/audit-row.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { profileImagePath } from "../users/parse-profile-image.ts";
import { users } from "../users/tables.ts";
import { isPresent } from "../users/user-columns.ts";
import { selectExported, toExportedGroup, unknownGroup } from "./group-rows.ts";
import type { ExportedGroup, GroupMember } from "./schema.ts";
import { groupMembers, groups } from "./tables.ts";

/** The members by name. @throws AppError `not_found`. */
export async function listMembers(ctx: Context, groupId: string): Promise<GroupMember[]> {
  requireAdmin(ctx);
  const members = ctx.db
    .select({ id: users.id, name: users.name, email: users.email, role: users.role, lastActiveAt: users.lastActiveAt })
    .from(groupMembers)
    .innerJoin(users, eq(users.id, groupMembers.userId))
    .where(eq(groupMembers.groupId, groupId))
    .orderBy(sql`users.name COLLATE NOCASE`, users.id);
  const [known, rows] = await ctx.db.batch([
    ctx.db.select({ id: groups.id }).from(groups).where(eq(groups.id, groupId)),
    members,
  ]);
  if (known.length === 0) throw unknownGroup();
  return rows.map(({ lastActiveAt, ...row }) => ({
    ...row,
    profile_image_url: profileImagePath(row.id),
    is_active: isPresent(ctx, lastActiveAt),
  }));
}

/**
 * Adds people of the group's organization: all of them or, when one is unknown, nobody.
 * @throws AppError `not_found` for the group; `validation_failed` that says how many people are unknown.
 */
export async function addMembers(ctx: Context, groupId: string, userIds: string[]): Promise<ExportedGroup> {
  requireAdmin(ctx);
  const ids = JSON.stringify([...new Set(userIds)]);
  const fitting = sql`SELECT u.id FROM users u JOIN groups g ON g.organization_id = u.organization_id WHERE g.id = ${groupId} AND u.id IN (SELECT value FROM json_each(${ids}))`;
  const missing = sql<number>`json_array_length(${ids}) - (SELECT count(*) FROM (${fitting}))`;
  const [[state], , , rows] = await ctx.db.batch([
    ctx.db.all<{ known: number; missing: number }>(
      sql`SELECT EXISTS (SELECT 1 FROM ${groups} WHERE id = ${groupId}) AS known, ${missing} AS missing`,
    ),
    ctx.db.run(
      sql`INSERT INTO group_members (group_id, user_id, created_at) SELECT ${groupId}, id, ${ctx.now()} FROM (${fitting}) WHERE ${missing} = 0 ON CONFLICT DO NOTHING`,
    ),
    auditRowIf(ctx, {
      action: "group.members_added",
      targetType: "group",
      targetId: groupId,
      detail: { user_ids: JSON.parse(ids) as string[] },
    }),
    selectExported(ctx, groupId),
  ]);
  if (state!.known && state!.missing > 0) {
    const message = `${state!.missing} of these people are unknown, or belong to another organization than the group`;
    throw new AppError("validation_failed", `user_ids: ${message}`, {
      param: "user_ids",
      issues: [{ path: "user_ids", message }],
    });
  }
  return toExportedGroup(rows);
}

/** Takes people out; who is no member is passed over. @throws AppError `not_found`. */
export async function removeMembers(ctx: Context, groupId: string, userIds: string[]): Promise<ExportedGroup> {
  requireAdmin(ctx);
  const gone = sql`${groupMembers.userId} IN (SELECT value FROM json_each(${JSON.stringify(userIds)}))`;
  const [, , rows] = await ctx.db.batch([
    ctx.db.delete(groupMembers).where(and(eq(groupMembers.groupId, groupId), gone)),
    auditRowIf(ctx, {
      action: "group.members_removed",
      targetType: "group",
      targetId: groupId,
      detail: { user_ids: userIds },
    }),
    selectExported(ctx, groupId),
  ]);
  return toExportedGroup(rows);
}
