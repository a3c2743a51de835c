import { and, eq, sql } from "drizzle-orm";
import { requireManager, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { passkeys } from "../auth/passkeys/tables.ts";
import { hasApp } from "../auth/second-factor/has-factor.ts";
import { toUserInfo } from "./list-users.ts";
import type { UserDetails, UserInfo } from "./schema.ts";
import { users } from "./tables.ts";
import { factorColumn, groupsOf, isPresent, storageColumns, toUserObject, userColumns } from "./user-columns.ts";
import { visibleTo } from "./visible-users.ts";

function unknownPerson(): AppError {
  return new AppError("not_found", "No such person");
}

/**
 * One account with all details for administrators.
 * @throws AppError `forbidden`, `not_found`.
 */
export async function getUser(ctx: Context, userId: string): Promise<UserDetails> {
  const actor = requireManager(ctx);
  const [row] = await ctx.db
    .select({
      ...userColumns,
      ...storageColumns,
      ...factorColumn(ctx),
      groups: groupsOf,
      hasApp: hasApp(sql`users.id`),
      passkeyCount: sql<number>`(SELECT count(*) FROM ${passkeys} WHERE user_id = users.id)`,
    })
    .from(users)
    .where(and(eq(users.id, userId), visibleTo(actor)));
  if (!row) throw unknownPerson();
  return {
    ...toUserObject(ctx, row),
    groups: JSON.parse(row.groups) as UserDetails["groups"],
    storage_bytes: row.storageBytes,
    file_count: row.fileCount,
    has_second_factor: row.hasFactor === 1,
    has_authenticator_app: row.hasApp === 1,
    passkey_count: row.passkeyCount,
  };
}

/**
 * The public profile of a person in the same organization.
 * @throws AppError `not_found`.
 */
export async function getUserInfo(ctx: Context, userId: string): Promise<UserInfo> {
  const user = requireUser(ctx);
  const [row] = await ctx.db
    .select({ ...userColumns, groups: groupsOf })
    .from(users)
    .where(and(eq(users.id, userId), visibleTo(user)));
  if (!row) throw unknownPerson();
  return toUserInfo(ctx, row);
}

/**
 * Whether the person was active within the last three minutes.
 * @throws AppError `not_found`.
 */
export async function getPresence(ctx: Context, userId: string): Promise<boolean> {
  const user = requireUser(ctx);
  const [row] = await ctx.db
    .select({ lastActiveAt: users.lastActiveAt })
    .from(users)
    .where(and(eq(users.id, userId), visibleTo(user)));
  if (!row) throw unknownPerson();
  return isPresent(ctx, row.lastActiveAt);
}
