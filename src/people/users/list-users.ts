import { and, asc, desc, eq, or, sql, type SQL } from "drizzle-orm";
import { requireManager, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { escapeLike } from "../../db/like.ts";
import { decodeCursor, encodeCursor } from "../../db/page.ts";
import { hasFactor } from "../auth/second-factor/has-factor.ts";
import { personTotals } from "../totals/tables.ts";
import { shownStatus, type StatusRow } from "./own-status.ts";
import { profileImagePath } from "./parse-profile-image.ts";
import type { ListQuery, SearchQuery, ShortUserList, UserInfoList, UserList } from "./schema.ts";
import { users } from "./tables.ts";
import {
  factorColumn,
  groupIdsOf,
  groupsOf,
  isPresent,
  shortUserColumns,
  toListedUser,
  toShortUser,
  userColumns,
} from "./user-columns.ts";
import { offeredTo, visibleTo } from "./visible-users.ts";

/** What a list can be sorted by: the expression, and its value in a row that was read. */
const orders = {
  name: { by: sql`users.name COLLATE NOCASE`, of: (row: { name: string }) => row.name },
  email: { by: sql`users.email`, of: (row: { email: string }) => row.email },
  role: { by: sql`users.role`, of: (row: { role: string }) => row.role },
  created_at: { by: sql`users.created_at`, of: (row: { createdAt: number }) => row.createdAt },
  updated_at: { by: sql`users.updated_at`, of: (row: { updatedAt: number }) => row.updatedAt },
  last_active_at: { by: sql`users.last_active_at`, of: (row: { lastActiveAt: number }) => row.lastActiveAt },
  storage_bytes: { by: sql`person_totals.bytes`, of: (row: { storageBytes: number }) => row.storageBytes },
};

function matches(query: string | undefined): SQL | undefined {
  if (!query?.trim()) return undefined;
  const pattern = `%${escapeLike(query.trim())}%`;
  return or(sql`users.name LIKE ${pattern} ESCAPE '\\'`, sql`users.email LIKE ${pattern} ESCAPE '\\'`);
}

/**
 * A page of people: all for system administrators, those of their organization for its administrators.
 * @throws AppError `forbidden`; `bad_request` for an invalid cursor.
 */
export async function listUsers(ctx: Context, input: ListQuery): Promise<UserList> {
  return pageOfUsers(ctx, visibleTo(requireManager(ctx)), input);
}

/**
 * A page of the people in `scope`, sorted, with ids as the tie-breaker, so that cursor pages neither repeat nor skip
 * anyone. `total` counts all matches.
 * @throws AppError `bad_request` for an invalid cursor.
 */
export async function pageOfUsers(ctx: Context, scope: SQL | undefined, input: ListQuery): Promise<UserList> {
  const { by, of } = orders[input.order_by];
  const direction = input.direction === "asc" ? asc : desc;
  const filter = and(
    scope,
    matches(input.query),
    input.role && eq(users.role, input.role),
    input.kind && eq(users.kind, input.kind),
    input.second_factor &&
      sql`${users.kind} = 'person' AND ${hasFactor(ctx, sql`users.id`)} = ${input.second_factor === "true" ? 1 : 0}`,
  );
  const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor, 2);
  const further =
    after &&
    (input.direction === "asc"
      ? sql`(${by}, users.id) > (${after[0]}, ${after[1]})`
      : sql`(${by}, users.id) < (${after[0]}, ${after[1]})`);
  const offset = after || input.page === undefined ? 0 : (input.page - 1) * input.limit;
  const page = ctx.db
    .select({
      ...userColumns,
      ...factorColumn(ctx),
      groupIds: groupIdsOf,
      storageBytes: personTotals.bytes,
      fileCount: personTotals.files,
    })
    .from(users)
    .innerJoin(personTotals, eq(personTotals.userId, users.id))
    .where(and(filter, further))
    .orderBy(direction(by), direction(users.id))
    .limit(input.limit + 1)
    .offset(offset);
  const [rows, [counted]] = await ctx.db.batch([
    page,
    ctx.db
      .select({ total: sql<number>`count(*)` })
      .from(users)
      .where(filter),
  ]);
  const shown = rows.slice(0, input.limit);
  const last = shown.at(-1);
  return {
    users: shown.map((row) => toListedUser(ctx, row)),
    total: counted!.total,
    next_cursor: rows.length > input.limit && last ? encodeCursor([of(last), last.id]) : null,
  };
}

/** All people whom the administrator manages, in short form, by name; for pickers. */
export async function listAllUsers(ctx: Context): Promise<ShortUserList> {
  const actor = requireManager(ctx);
  const rows = await ctx.db
    .select(shortUserColumns)
    .from(users)
    .where(visibleTo(actor))
    .orderBy(orders.name.by, users.id);
  return {
    users: rows.map((row) => toShortUser(ctx, row)),
    total: rows.length,
  };
}

/**
 * People to share or talk with, by name: those of the caller's organization who can sign in; administrators find
 * everyone.
 */
export async function searchUsers(ctx: Context, input: SearchQuery): Promise<UserInfoList> {
  const user = requireUser(ctx);
  const filter = and(offeredTo(user), matches(input.query));
  const found = ctx.db
    .select({ ...userColumns, groups: groupsOf })
    .from(users)
    .where(filter)
    .orderBy(orders.name.by, users.id)
    .limit(input.limit);
  const [rows, [counted]] = await ctx.db.batch([
    found,
    ctx.db
      .select({ total: sql<number>`count(*)` })
      .from(users)
      .where(filter),
  ]);
  return { users: rows.map((row) => toUserInfo(ctx, row)), total: counted!.total };
}

interface InfoRow extends StatusRow {
  id: string;
  name: string;
  email: string;
  kind: "person" | "service";
  role: "pending" | "user" | "admin";
  active: boolean;
  organizationId: string;
  organizationRole: "admin" | "member";
  bio: string | null;
  lastActiveAt: number;
  groups: string;
}

export function toUserInfo(ctx: Context, row: InfoRow): UserInfoList["users"][number] {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    kind: row.kind,
    role: row.role,
    active: row.active,
    organization_id: row.organizationId,
    organization_role: row.organizationRole,
    profile_image_url: profileImagePath(row.id),
    bio: row.bio,
    groups: JSON.parse(row.groups) as { id: string; name: string }[],
    is_active: isPresent(ctx, row.lastActiveAt),
    ...shownStatus(ctx, row),
  };
}
