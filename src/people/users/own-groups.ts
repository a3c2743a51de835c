import { and, eq, type SQL } from "drizzle-orm";
import { requireManager, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { users } from "./tables.ts";
import { groupsOf } from "./user-columns.ts";
import { visibleTo } from "./visible-users.ts";

interface GroupName {
  id: string;
  name: string;
}

/** The caller's groups. */
export async function getOwnGroups(ctx: Context): Promise<GroupName[]> {
  return (await readGroups(ctx, requireUser(ctx).id)) ?? [];
}

/** Groups of anybody whom the administrator manages. @throws AppError `forbidden`, `not_found`. */
export async function getGroupsOf(ctx: Context, userId: string): Promise<GroupName[]> {
  const groups = await readGroups(ctx, userId, visibleTo(requireManager(ctx)));
  if (!groups) throw new AppError("not_found", "No such person");
  return groups;
}

async function readGroups(ctx: Context, userId: string, scope?: SQL): Promise<GroupName[] | undefined> {
  const [row] = await ctx.db
    .select({ groups: groupsOf })
    .from(users)
    .where(and(eq(users.id, userId), scope));
  return row && (JSON.parse(row.groups) as GroupName[]);
}
