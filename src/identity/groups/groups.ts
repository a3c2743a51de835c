import { and, eq, or, sql, type SQL } from "drizzle-orm";
import { requireAdmin, requireUser } from "../../access.ts";
import { auditRow, auditRowIf } from "../../audit/audit-row.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import type { PartialPermissions } from "../permissions.ts";
import type { ExportedGroup, GroupInfo, GroupObject } from "./schema.ts";
import { groups } from "./tables.ts";

export interface GroupInput {
  name: string;
  description: string;
  permissions?: PartialPermissions | undefined;
  data?: { config?: { share?: boolean | "members" | undefined } | undefined } | null | undefined;
}

const memberCount = sql<number>`(SELECT count(*) FROM group_members m WHERE m.group_id = groups.id)`;
const memberIds = sql<string>`(SELECT json_group_array(m.user_id) FROM group_members m WHERE m.group_id = groups.id)`;

const columns = {
  id: groups.id,
  organizationId: groups.organizationId,
  userId: groups.userId,
  name: groups.name,
  description: groups.description,
  permissions: groups.permissions,
  share: groups.share,
  createdAt: groups.createdAt,
  updatedAt: groups.updatedAt,
  memberCount,
};

function select(ctx: Context, where?: SQL) {
  return ctx.db.select(columns).from(groups).where(where).orderBy(sql`groups.name COLLATE NOCASE`, groups.id);
}

function toObject(row: Awaited<ReturnType<typeof select>>[number]): GroupObject {
  return {
    id: row.id,
    user_id: row.userId,
    organization_id: row.organizationId,
    name: row.name,
    description: row.description,
    data: { config: { share: shareToWire[row.share] } },
    meta: null,
    permissions: row.permissions as GroupObject["permissions"],
    member_count: row.memberCount,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

const shareToWire = { everyone: true, members: "members", nobody: false } as const;

function shareOf(input: GroupInput): "everyone" | "members" | "nobody" | undefined {
  const share = input.data?.config?.share;
  return share === undefined ? undefined : share === true ? "everyone" : share === false ? "nobody" : "members";
}

export function unknownGroup(): AppError {
  return new AppError("not_found", "There is no such group");
}

/**
 * Administrators get all groups, others their own; with `share`, those that the caller may share things with.
 */
export async function listGroups(ctx: Context, share: boolean | undefined): Promise<GroupObject[]> {
  const user = requireUser(ctx);
  const mine = sql`EXISTS (SELECT 1 FROM group_members m WHERE m.group_id = groups.id AND m.user_id = ${user.id})`;
  const shareable = or(eq(groups.share, "everyone"), and(eq(groups.share, "members"), mine));
  const where = user.role === "admin" ? undefined : and(eq(groups.organizationId, user.organizationId), share ? shareable : mine);
  return (await select(ctx, where)).map(toObject);
}

/** A group of the administrator's organization. */
export async function createGroup(ctx: Context, input: GroupInput): Promise<GroupObject> {
  const user = requireAdmin(ctx);
  const id = newId();
  const now = ctx.now();
  const share = shareOf(input);
  const { name, description, permissions = {} } = input;
  const [, , rows] = await ctx.db.batch([
    ctx.db
      .insert(groups)
      .values({ id, organizationId: user.organizationId, userId: user.id, name, description, permissions, ...(share && { share }), createdAt: now, updatedAt: now }),
    auditRow(ctx, { action: "group.created", targetType: "group", targetId: id, detail: { name, permissions } }),
    select(ctx, eq(groups.id, id)),
  ]);
  return toObject(rows[0]!);
}

/** @throws AppError `not_found`. */
export async function getGroup(ctx: Context, groupId: string): Promise<ExportedGroup> {
  requireAdmin(ctx);
  const [row] = await ctx.db.select({ ...columns, memberIds }).from(groups).where(eq(groups.id, groupId));
  if (!row) throw unknownGroup();
  return { ...toObject(row), user_ids: JSON.parse(row.memberIds) as string[] };
}

/** What everyone of the same organization sees of a group. @throws AppError `not_found`. */
export async function getGroupInfo(ctx: Context, groupId: string): Promise<GroupInfo> {
  const user = requireUser(ctx);
  const visible = user.role === "admin" ? undefined : eq(groups.organizationId, user.organizationId);
  const [row] = await select(ctx, and(eq(groups.id, groupId), visible));
  if (!row) throw unknownGroup();
  const { id, name, description, member_count, created_at, updated_at } = toObject(row);
  return { id, name, description, member_count, created_at, updated_at };
}

/** Replaces name and description; permissions and sharing only when they are named. @throws AppError `not_found`. */
export async function updateGroup(ctx: Context, groupId: string, input: GroupInput): Promise<GroupObject> {
  requireAdmin(ctx);
  const share = shareOf(input);
  const { name, description, permissions } = input;
  const values = { name, description, ...(permissions && { permissions }), ...(share && { share }), updatedAt: ctx.now() };
  const [, , rows] = await ctx.db.batch([
    ctx.db.update(groups).set(values).where(eq(groups.id, groupId)),
    auditRowIf(ctx, { action: "group.updated", targetType: "group", targetId: groupId, detail: { name, ...(permissions && { permissions }), ...(share && { share }) } }),
    select(ctx, eq(groups.id, groupId)),
  ]);
  if (!rows[0]) throw unknownGroup();
  return toObject(rows[0]);
}

/** Its members keep their accounts and lose what the group gave them, from the next request on. @throws AppError `not_found`. */
export async function deleteGroup(ctx: Context, groupId: string): Promise<void> {
  requireAdmin(ctx);
  const detail = sql`(SELECT json_object('name', name) FROM ${groups} WHERE id = ${groupId})`;
  const known = sql`EXISTS (SELECT 1 FROM ${groups} WHERE id = ${groupId})`;
  const [, gone] = await ctx.db.batch([
    auditRowIf(ctx, { action: "group.deleted", targetType: "group", targetId: groupId, detail }, known),
    ctx.db.delete(groups).where(eq(groups.id, groupId)).returning({ id: groups.id }),
  ]);
  if (gone.length === 0) throw unknownGroup();
}
