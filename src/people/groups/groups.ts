import { and, eq, or, sql } from "drizzle-orm";
import { requireManager, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { auditRowIf } from "../audit/audit-row.ts";
import { defaultOrganizationId } from "../organizations/default-organization.ts";
import { organizations } from "../organizations/tables.ts";
import { managedBy, stillManages } from "../still-manages.ts";
import { grantsBeyond, requireNone } from "./granted-leaves.ts";
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
 * All groups for system administrators, those of the organization for its administrators, their own for others; with
 * `share`, those that the caller may share with.
 */
export async function listGroups(ctx: Context, share: boolean | undefined): Promise<GroupObject[]> {
  const user = requireUser(ctx);
  const isOwn = eq(groups.organizationId, user.organizationId);
  const mine = sql`groups.id IN (SELECT group_id FROM group_members WHERE user_id = ${user.id})`;
  const shareable = and(isOwn, or(eq(groups.share, "everyone"), and(eq(groups.share, "members"), mine)));
  // The plus keeps SQLite from reading all groups of an organization for those of one person.
  const counts = sql`+groups.organization_id IN (${user.organizationId}, ${defaultOrganizationId}) AND ${mine}`;
  const others = user.organizationRole === "admin" ? isOwn : share ? shareable : counts;
  return (await selectGroups(ctx, user.role === "admin" ? undefined : others)).map(toGroupObject);
}

/**
 * Creates a group in the given organization, or the default one; an organization's administrators in theirs.
 * @throws AppError `forbidden` for a permission that the administrator does not have; `validation_failed` for an
 *   unknown organization.
 */
export async function createGroup(ctx: Context, input: GroupInput): Promise<GroupObject> {
  const actor = requireManager(ctx);
  const id = newId();
  const now = ctx.now();
  const share = shareOf(input);
  const { name, description, permissions = {} } = input;
  const organizationId =
    input.organization_id ?? (actor.role === "admin" ? defaultOrganizationId : actor.organizationId);
  requireNone(JSON.stringify(grantsBeyond(actor, permissions)));
  const may = stillManages(actor);
  const exists = sql`EXISTS (SELECT 1 FROM ${organizations} WHERE id = ${organizationId} AND ${managedBy(actor, sql`id`)})`;
  const [, , [row], [state]] = await ctx.db.batch([
    insertWhere(
      ctx.db,
      groups,
      {
        id,
        organizationId,
        userId: actor.id,
        name,
        description,
        permissions,
        ...(share && { share }),
        createdAt: now,
        updatedAt: now,
      },
      sql`${may} AND ${exists}`,
    ),
    auditRowIf(ctx, {
      action: "group.created",
      targetType: "group",
      targetId: id,
      organizationId,
      detail: { name, permissions },
    }),
    selectGroups(ctx, eq(groups.id, id)),
    ctx.db.all<{ may: number }>(sql`SELECT ${may} AS may`),
  ]);
  if (row) return toGroupObject(row);
  if (!state!.may) throw new AppError("forbidden", "Only an administrator can do this");
  const message = "No such organization";
  throw new AppError("validation_failed", `organization_id: ${message}`, {
    param: "organization_id",
    issues: [{ path: "organization_id", message }],
  });
}

/** One group with the ids of its members. @throws AppError `forbidden`, `not_found`. */
export async function getGroup(ctx: Context, groupId: string): Promise<ExportedGroup> {
  const actor = requireManager(ctx);
  return toExportedGroup(await selectExported(ctx, actor, groupId));
}

/**
 * The public profile of a group, for everyone of the same organization and for members of a group of the default one.
 * @throws AppError `not_found`.
 */
export async function getGroupInfo(ctx: Context, groupId: string): Promise<GroupInfo> {
  const user = requireUser(ctx);
  const isMember = sql`EXISTS (SELECT 1 FROM group_members m WHERE m.group_id = groups.id AND m.user_id = ${user.id})`;
  const visible =
    user.role === "admin"
      ? undefined
      : or(
          eq(groups.organizationId, user.organizationId),
          and(eq(groups.organizationId, defaultOrganizationId), isMember),
        );
  const [row] = await selectGroups(ctx, and(eq(groups.id, groupId), visible));
  if (!row) throw unknownGroup();
  const { id, name, description, member_count, created_at, updated_at } = toGroupObject(row);
  return { id, name, description, member_count, created_at, updated_at };
}
