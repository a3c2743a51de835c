import { eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { PartialPermissions } from "../permissions.ts";
import type { ExportedGroup, GroupObject } from "./schema.ts";
import { groups } from "./tables.ts";

export interface GroupInput {
  name: string;
  description: string;
  permissions?: PartialPermissions | undefined;
  data?: { config?: { share?: boolean | "members" | undefined } | undefined } | null | undefined;
}

const memberCount = sql<number>`(SELECT count(*) FROM group_members m WHERE m.group_id = groups.id)`;
const memberIds = sql<string>`(SELECT json_group_array(m.user_id) FROM group_members m WHERE m.group_id = groups.id)`;

const groupColumns = {
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

/** Groups by name. */
export function selectGroups(ctx: Context, where?: SQL) {
  return ctx.db
    .select(groupColumns)
    .from(groups)
    .where(where)
    .orderBy(sql`groups.name COLLATE NOCASE`, groups.id);
}

/** One group with the ids of its members. */
export function selectExported(ctx: Context, groupId: string) {
  return ctx.db
    .select({ ...groupColumns, memberIds })
    .from(groups)
    .where(eq(groups.id, groupId));
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
  return new AppError("not_found", "There is no such group");
}
