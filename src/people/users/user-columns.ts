import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { hasFactor } from "../auth/second-factor/has-factor.ts";
import { shownStatus, statusColumns } from "./own-status.ts";
import { profileImagePath } from "./parse-profile-image.ts";
import type { ListedUser, UserObject } from "./schema.ts";
import { users } from "./tables.ts";

/** Seconds after the last request in which a person counts as there. */
const presentSeconds = 180;

/** The columns of a person for lists: no settings, no picture. */
export const userColumns = {
  id: users.id,
  email: users.email,
  name: users.name,
  kind: users.kind,
  role: users.role,
  active: users.active,
  organizationId: users.organizationId,
  organizationRole: users.organizationRole,
  bio: users.bio,
  gender: users.gender,
  dateOfBirth: users.dateOfBirth,
  timezone: users.timezone,
  ...statusColumns,
  oauth: users.oauth,
  scim: users.scim,
  freeProbes: users.freeProbes,
  lastActiveAt: users.lastActiveAt,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt,
};

/** What a person is shown by where administrators pick one of many. */
export const shortUserColumns = {
  id: users.id,
  name: users.name,
  email: users.email,
  kind: users.kind,
  role: users.role,
  active: users.active,
  organizationId: users.organizationId,
  organizationRole: users.organizationRole,
  lastActiveAt: users.lastActiveAt,
};

type ShortUserRow = { [K in keyof typeof shortUserColumns]: (typeof users.$inferSelect)[K] };
type UserRow = { [K in keyof typeof userColumns]: (typeof users.$inferSelect)[K] };

/** JSON text: the ids of the person's groups. */
export const groupIdsOf = sql<string>`(SELECT json_group_array(m.group_id) FROM group_members m WHERE m.user_id = users.id)`;

/** What the person's files take, and how many there are. */
export const storageColumns = {
  storageBytes: sql<number>`coalesce((SELECT t.bytes FROM person_totals t WHERE t.user_id = users.id), 0)`,
  fileCount: sql<number>`coalesce((SELECT t.files FROM person_totals t WHERE t.user_id = users.id), 0)`,
};

/** JSON text: ids and names of the person's groups, by name. */
export const groupsOf = sql<string>`(SELECT json_group_array(json_object('id', g.id, 'name', g.name))
  FROM (SELECT g.id, g.name FROM group_members m JOIN groups g ON g.id = m.group_id WHERE m.user_id = users.id ORDER BY g.name, g.id) g)`;

/** Whether the person's password alone does not sign in. */
export const factorColumn = (ctx: Context) => ({ hasFactor: hasFactor(ctx, sql`users.id`) });

export function isPresent(ctx: Context, lastActiveAt: number): boolean {
  return lastActiveAt > ctx.now() - presentSeconds;
}

export function toShortUser(ctx: Context, { lastActiveAt, organizationId, organizationRole, ...row }: ShortUserRow) {
  return {
    ...row,
    organization_id: organizationId,
    organization_role: organizationRole,
    profile_image_url: profileImagePath(row.id),
    is_active: isPresent(ctx, lastActiveAt),
  };
}

/** A person with what administrators see in lists besides. */
export function toListedUser(
  ctx: Context,
  row: UserRow & { groupIds: string; storageBytes: number; fileCount: number; hasFactor: number },
): ListedUser {
  return {
    ...toUserObject(ctx, row),
    group_ids: JSON.parse(row.groupIds) as string[],
    storage_bytes: row.storageBytes,
    file_count: row.fileCount,
    has_second_factor: row.hasFactor === 1,
  };
}

export function toUserObject(ctx: Context, row: UserRow): UserObject {
  return {
    id: row.id,
    email: row.email,
    username: null,
    name: row.name,
    kind: row.kind,
    role: row.role,
    active: row.active,
    is_active: isPresent(ctx, row.lastActiveAt),
    organization_id: row.organizationId,
    organization_role: row.organizationRole,
    profile_image_url: profileImagePath(row.id),
    profile_banner_image_url: null,
    bio: row.bio,
    gender: row.gender,
    date_of_birth: row.dateOfBirth,
    timezone: row.timezone,
    presence_state: null,
    ...shownStatus(ctx, row),
    oauth: row.oauth,
    scim: row.scim,
    free_probes: row.freeProbes,
    last_active_at: row.lastActiveAt,
    updated_at: row.updatedAt,
    created_at: row.createdAt,
  };
}
