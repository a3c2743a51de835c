import { eq, sql, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { groups } from "../../people/groups/tables.ts";
import { serviceAccountIds } from "../../people/users/visible-users.ts";
import { locationOf } from "../paths.ts";
import { isWanted, type Projection } from "../projection.ts";
import { groupSchema, type ScimGroup } from "../schema.ts";

const membersOf = sql<string>`(SELECT json_group_array(json_object('value', m.id, 'display', m.name))
  FROM (SELECT u.id, u.name FROM group_members gm JOIN users u ON u.id = gm.user_id AND u.kind = 'person' WHERE gm.group_id = groups.id ORDER BY u.id) m)`;

const memberCount = sql`(SELECT count(*) FROM group_members gm WHERE gm.group_id = groups.id AND gm.user_id NOT IN ${serviceAccountIds})`;

/** Groups with the columns for SCIM; members only if requested, and up to a limit. */
export function selectGroups(ctx: Context, projection: Projection, maxMembers?: number) {
  const isSmall =
    maxMembers === undefined
      ? membersOf
      : sql<string>`CASE WHEN ${memberCount} <= ${maxMembers} THEN ${membersOf} ELSE '[]' END`;
  return ctx.db
    .select({
      id: groups.id,
      name: groups.name,
      externalId: groups.externalId,
      members: isWanted(projection, "members") ? isSmall : sql<string>`'[]'`,
      createdAt: groups.createdAt,
      updatedAt: groups.updatedAt,
    })
    .from(groups)
    .$dynamic();
}

export function selectGroup(ctx: Context, groupId: string, projection: Projection, maxMembers?: number) {
  return selectGroups(ctx, projection, maxMembers).where(eq(groups.id, groupId));
}

export type GroupRow = Awaited<ReturnType<typeof selectGroups>>[number];

/** The representation of a group in all responses. */
export function toScimGroup(ctx: Context, row: GroupRow): ScimGroup {
  const members = JSON.parse(row.members) as { value: string; display: string }[];
  return {
    schemas: [groupSchema],
    id: row.id,
    ...(row.externalId !== null && { externalId: row.externalId }),
    displayName: row.name,
    members: members.map((member) => ({ ...member, $ref: locationOf(ctx, "Users", member.value), type: "User" })),
    meta: {
      resourceType: "Group",
      created: new Date(row.createdAt * 1000).toISOString(),
      lastModified: new Date(row.updatedAt * 1000).toISOString(),
      location: locationOf(ctx, "Groups", row.id),
    },
  };
}

/** A group's data in the audit log. */
export function groupSnapshot(groupId: string): SQL {
  return sql`(SELECT json_object('displayName', name, 'externalId', external_id,
    'memberCount', ${memberCount}) FROM ${groups} WHERE groups.id = ${groupId})`;
}
