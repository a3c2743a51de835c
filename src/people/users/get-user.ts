import { and, eq } from "drizzle-orm";
import { requireManager, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { toUserInfo } from "./list-users.ts";
import type { UserDetails, UserInfo } from "./schema.ts";
import { users } from "./tables.ts";
import { groupsOf, isPresent, toUserObject, userColumns } from "./user-columns.ts";
import { visibleTo } from "./visible-users.ts";

function unknownPerson(): AppError {
  return new AppError("not_found", "No such person");
}

/** Everything an administrator sees of one account. @throws AppError `forbidden`, `not_found`. */
export async function getUser(ctx: Context, userId: string): Promise<UserDetails> {
  const actor = requireManager(ctx);
  const [row] = await ctx.db
    .select({ ...userColumns, groups: groupsOf })
    .from(users)
    .where(and(eq(users.id, userId), visibleTo(actor)));
  if (!row) throw unknownPerson();
  return { ...toUserObject(ctx, row), groups: JSON.parse(row.groups) as UserDetails["groups"] };
}

/** What everyone of the same organization sees of a person. @throws AppError `not_found`. */
export async function getUserInfo(ctx: Context, userId: string): Promise<UserInfo> {
  const user = requireUser(ctx);
  const [row] = await ctx.db
    .select({ ...userColumns, groups: groupsOf })
    .from(users)
    .where(and(eq(users.id, userId), visibleTo(user)));
  if (!row) throw unknownPerson();
  return toUserInfo(ctx, row);
}

/** Whether the person did something within the last three minutes. @throws AppError `not_found`. */
export async function getPresence(ctx: Context, userId: string): Promise<boolean> {
  const user = requireUser(ctx);
  const [row] = await ctx.db
    .select({ lastActiveAt: users.lastActiveAt })
    .from(users)
    .where(and(eq(users.id, userId), visibleTo(user)));
  if (!row) throw unknownPerson();
  return isPresent(ctx, row.lastActiveAt);
}
