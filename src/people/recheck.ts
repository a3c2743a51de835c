import { and, asc, eq, gt, sql, type SQL } from "drizzle-orm";
import type { Context } from "../context.ts";
import { groupMembers } from "./groups/tables.ts";
import { users } from "./users/tables.ts";

/**
 * Seconds after the last sign of life in which somebody may have something open that nothing else ends: tabs that are looked
 * at and streams give one every minute, and tabs that are hidden for longer are looked at again before they are told anything.
 */
const recentSeconds = 2 * 24 * 3600;
/** So many people are told without a look at who of them may have something open. */
const maxToldUnseen = 50;
/** People in one statement, and in one call to the live sessions. */
const batchSize = 200;
/** How long a change waits until it has reached what is open, milliseconds; the rest is told after the answer. */
const timeoutMs = 2000;

/** Epoch seconds: who gave the last sign of life before that need not be told. */
export function recentlyHere(ctx: Context): number {
  return ctx.now() - recentSeconds;
}

/**
 * Whatever these people have open looks again at who they are now; of many, of those who were here lately. Resolves when that
 * is done, so that nothing open outlives the answer, or after a moment, while the rest goes on. Never fails the caller.
 */
export async function recheckPeople(ctx: Context, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  if (userIds.length <= maxToldUnseen) await forAMoment(ctx, ctx.live.recheck(userIds));
  else await recheckWhere(ctx, sql`${users.id} IN (SELECT value FROM json_each(${JSON.stringify(userIds)}))`);
}

/** The same for everybody of an organization. */
export async function recheckOrganization(ctx: Context, organizationId: string): Promise<void> {
  await recheckWhere(ctx, eq(users.organizationId, organizationId));
}

/** The same for the members of a group. */
export async function recheckMembers(ctx: Context, groupId: string): Promise<void> {
  await recheckWhere(ctx, sql`${users.id} IN (SELECT user_id FROM ${groupMembers} WHERE group_id = ${groupId})`);
}

/** The same for everybody. */
export async function recheckEverybody(ctx: Context): Promise<void> {
  await recheckWhere(ctx, undefined);
}

async function recheckWhere(ctx: Context, who: SQL | undefined): Promise<void> {
  await forAMoment(ctx, recheckAll(ctx, who));
}

async function forAMoment(ctx: Context, work: Promise<void>): Promise<void> {
  const done = work.catch((error: unknown) => ctx.log.warn("could not recheck live sessions", { error }));
  ctx.waitUntil(done);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([done, over]);
  clearTimeout(timer);
}

async function recheckAll(ctx: Context, who: SQL | undefined): Promise<void> {
  const since = recentlyHere(ctx);
  for (let after = ""; ;) {
    const found = await ctx.db
      .select({ id: users.id })
      .from(users)
      .where(and(who, gt(users.lastActiveAt, since), gt(users.id, after)))
      .orderBy(asc(users.id))
      .limit(batchSize);
    const ids = found.map((row) => row.id);
    if (ids.length > 0) await ctx.live.recheck(ids);
    if (ids.length < batchSize) return;
    after = ids.at(-1)!;
  }
}
