import { and, eq, type SQL, sql } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { PartialPermissions } from "../permissions.ts";
import { managedBy, stillManages } from "../still-manages.ts";
import type { ExportedGroup, GroupObject } from "./schema.ts";
import { groups } from "./tables.ts";

export interface GroupInput {
  /** For a new group only; the default organization's when left out. */
  organization_id?: string | undefined;
  name: string;
  description: string;
  permissions?: PartialPermissions | undefined;
  data?: { config?: { share?: boolean | "members" | undefined } | undefined } | null | undefined;
}

const memberCount = sql<number>`(SELECT count(*) FROM group_members m WHERE m.group_id = groups.id)`;
/** JSON text: ids of the members whom the actor manages. */
const memberIds = (actor: User) =>
  sql<string>`(SELECT json_group_array(m.user_id) FROM group_members m JOIN users u ON u.id = m.user_id
    WHERE m.group_id = groups.id AND ${managedBy(actor, sql`u.organization_id`)})`;

const groupColumns = {
  id: groups.id,
  organizationId: groups.organizationId,
  userId: groups.userId,
  externalId: groups.externalId,
  name: groups.name,
  description: groups.description,
  permissions: groups.permissions,
  share: groups.share,
  createdAt: groups.createdAt,
  updatedAt: groups.updatedAt,
  memberCount,
};

/** Groups by name. */
export function selectGroups(ctx: Context, where?: SQL) {
  return ctx.db
    .select(groupColumns)
    .from(groups)
    .where(where)
    .orderBy(sql`groups.name COLLATE NOCASE`, groups.id);
}

/** One group that the actor manages, with the ids of its members whom they manage. */
export function selectExported(ctx: Context, actor: User, groupId: string) {
  return ctx.db
    .select({ ...groupColumns, memberIds: memberIds(actor) })
    .from(groups)
    .where(and(eq(groups.id, groupId), managedBy(actor, sql`groups.organization_id`)));
}

/** SQL: whether there is such a group and who acts may change it, at this moment. */
export function mayChangeGroup(actor: User, groupId: string): SQL {
  return sql`(${stillManages(actor)} AND EXISTS (SELECT 1 FROM ${groups} g WHERE g.id = ${groupId}
    AND ${managedBy(actor, sql`g.organization_id`)}))`;
}

/**
 * SQL: whether people are in the group whom the actor does not manage, as may be in one of the default organization. Its
 * members can be kept by the administrators of each, but what it is and grants is for system administrators.
 */
export function hasOutsiders(actor: User, groupId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM group_members m JOIN users u ON u.id = m.user_id
    WHERE m.group_id = ${groupId} AND NOT ${managedBy(actor, sql`u.organization_id`)})`;
}

export function outsidersInside(): AppError {
  return new AppError(
    "forbidden",
    "This group has members of other organizations: only system administrators can manage it",
  );
}

/** SQL: the group's organization, for the audit. */
export function organizationOf(groupId: string): SQL {
  return sql`(SELECT organization_id FROM ${groups} WHERE id = ${groupId})`;
}

/** @throws AppError `not_found` where there was no row. */
export function toExportedGroup([row]: Awaited<ReturnType<typeof selectExported>>): ExportedGroup {
  if (!row) throw unknownGroup();
  return { ...toGroupObject(row), user_ids: JSON.parse(row.memberIds) as string[] };
}

export function toGroupObject(row: Awaited<ReturnType<typeof selectGroups>>[number]): GroupObject {
  return {
    id: row.id,
    user_id: row.userId,
    organization_id: row.organizationId,
    external_id: row.externalId,
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

/** Who may share, where the input says it. */
export function shareOf(input: GroupInput): "everyone" | "members" | "nobody" | undefined {
  const share = input.data?.config?.share;
  return share === undefined ? undefined : share === true ? "everyone" : share === false ? "nobody" : "members";
}

export function unknownGroup(): AppError {
  return new AppError("not_found", "No such group");
}
