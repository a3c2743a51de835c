import { and, eq, or, sql } from "drizzle-orm";
import { requireAdmin, requireUser } from "../../access.ts";
import { auditRow, auditRowIf } from "../../audit/audit-row.ts";
import type { Context } from "../../context.ts";
import { grants } from "../../grants/tables.ts";
import { newId } from "../../lib/id.ts";
import {
  type GroupInput,
  selectExported,
  selectGroups,
  shareOf,
  toExportedGroup,
  toGroupObject,
  unknownGroup,
} from "./group-rows.ts";
import type { ExportedGroup, GroupInfo, GroupObject } from "./schema.ts";
import { groups } from "./tables.ts";

/**
 * Administrators get all groups, others their own; with `share`, those that the caller may share things with.
 */
export async function listGroups(ctx: Context, share: boolean | undefined): Promise<GroupObject[]> {
  const user = requireUser(ctx);
  const mine = sql`EXISTS (SELECT 1 FROM group_members m WHERE m.group_id = groups.id AND m.user_id = ${user.id})`;
  const shareable = or(eq(groups.share, "everyone"), and(eq(groups.share, "members"), mine));
  const where =
    user.role === "admin" ? undefined : and(eq(groups.organizationId, user.organizationId), share ? shareable : mine);
  return (await selectGroups(ctx, where)).map(toGroupObject);
}

/** A group of the administrator's organization. */
export async function createGroup(ctx: Context, input: GroupInput): Promise<GroupObject> {
  const user = requireAdmin(ctx);
  const id = newId();
  const now = ctx.now();
  const share = shareOf(input);
  const { name, description, permissions = {} } = input;
  const [, , rows] = await ctx.db.batch([
    ctx.db.insert(groups).values({
      id,
      organizationId: user.organizationId,
      userId: user.id,
      name,
      description,
      permissions,
      ...(share && { share }),
      createdAt: now,
      updatedAt: now,
    }),
    auditRow(ctx, { action: "group.created", targetType: "group", targetId: id, detail: { name, permissions } }),
    selectGroups(ctx, eq(groups.id, id)),
  ]);
  return toGroupObject(rows[0]!);
}

/** One group with the ids of its members. @throws AppError `not_found`. */
export async function getGroup(ctx: Context, groupId: string): Promise<ExportedGroup> {
  requireAdmin(ctx);
  return toExportedGroup(await selectExported(ctx, groupId));
}

/** What everyone of the same organization sees of a group. @throws AppError `not_found`. */
export async function getGroupInfo(ctx: Context, groupId: string): Promise<GroupInfo> {
  const user = requireUser(ctx);
  const visible = user.role === "admin" ? undefined : eq(groups.organizationId, user.organizationId);
  const [row] = await selectGroups(ctx, and(eq(groups.id, groupId), visible));
  if (!row) throw unknownGroup();
  const { id, name, description, member_count, created_at, updated_at } = toGroupObject(row);
  return { id, name, description, member_count, created_at, updated_at };
}

/** Replaces name and description; permissions and sharing only when they are named. @throws AppError `not_found`. */
export async function updateGroup(ctx: Context, groupId: string, input: GroupInput): Promise<GroupObject> {
  requireAdmin(ctx);
  const share = shareOf(input);
  const { name, description, permissions } = input;
  const values = {
    name,
    description,
    ...(permissions && { permissions }),
    ...(share && { share }),
    updatedAt: ctx.now(),
  };
  const [, , rows] = await ctx.db.batch([
    ctx.db.update(groups).set(values).where(eq(groups.id, groupId)),
    auditRowIf(ctx, {
      action: "group.updated",
      targetType: "group",
      targetId: groupId,
      detail: { name, ...(permissions && { permissions }), ...(share && { share }) },
    }),
    selectGroups(ctx, eq(groups.id, groupId)),
  ]);
  if (!rows[0]) throw unknownGroup();
  return toGroupObject(rows[0]);
}

/** Its members keep their accounts and lose what the group gave them, from the next request on. @throws AppError `not_found`. */
export async function deleteGroup(ctx: Context, groupId: string): Promise<void> {
  requireAdmin(ctx);
  const detail = sql`(SELECT json_object('name', name) FROM ${groups} WHERE id = ${groupId})`;
  const known = sql`EXISTS (SELECT 1 FROM ${groups} WHERE id = ${groupId})`;
  const [, gone] = await ctx.db.batch([
    auditRowIf(ctx, { action: "group.deleted", targetType: "group", targetId: groupId, detail }, known),
    ctx.db.delete(groups).where(eq(groups.id, groupId)).returning({ id: groups.id }),
    ctx.db.delete(grants).where(and(eq(grants.principalType, "group"), eq(grants.principalId, groupId))),
  ]);
  if (gone.length === 0) throw unknownGroup();
}
