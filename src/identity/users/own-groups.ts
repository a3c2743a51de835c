import { eq } from "drizzle-orm";
import { requireAdmin, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { users } from "./tables.ts";
import { groupsOf } from "./user-columns.ts";

interface GroupName {
  id: string;
  name: string;
}

/** The caller's groups. */
export async function getOwnGroups(ctx: Context): Promise<GroupName[]> {
  return (await readGroups(ctx, requireUser(ctx).id)) ?? [];
}

/** Anybody's groups, for administrators. @throws AppError `not_found`. */
export async function getGroupsOf(ctx: Context, userId: string): Promise<GroupName[]> {
  requireAdmin(ctx);
  const groups = await readGroups(ctx, userId);
  if (!groups) throw new AppError("not_found", "There is no such person");
  return groups;
}

async function readGroups(ctx: Context, userId: string): Promise<GroupName[] | undefined> {
  const [row] = await ctx.db.select({ groups: groupsOf }).from(users).where(eq(users.id, userId));
  return row && (JSON.parse(row.groups) as GroupName[]);
}
