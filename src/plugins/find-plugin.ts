import { eq, sql } from "drizzle-orm";
import { requireAdmin, requireUser, type User } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { type Grant, isGranted } from "../people/grants/grant.ts";
import { grants } from "../people/grants/tables.ts";
import { users } from "../people/users/tables.ts";
import { entryColumns, isPlugin, ownerOf, type PluginEntry } from "./plugin-index.ts";
import { plugins } from "./tables.ts";

export type Family = PluginEntry["family"];

export interface Found {
  user: User;
  entry: PluginEntry;
  /** Empty unless it was asked for. */
  source: string;
  sealedValves: string | null;
  /** Of tools. */
  grants: Grant[];
  canWrite: boolean;
}

/**
 * Whether the person may use a plugin. Functions work for everyone through models and switches set by administrators;
 * switched off ones are visible only to administrators. Tools are for their owner and the people in their grants.
 */
export function mayRead(user: User, entry: PluginEntry, given: readonly Grant[]): boolean {
  if (user.role === "admin") return true;
  return entry.family === "function" ? entry.isActive : entry.userId === user.id || isGranted(user, given, "read");
}

/**
 * Whether the person may read the source, set its valves and change it. What runs outside of the sandbox is for
 * administrators alone.
 */
export function mayWrite(user: User, entry: PluginEntry, given: readonly Grant[]): boolean {
  if (user.role === "admin") return true;
  if (entry.runner !== null) return false;
  return entry.family === "tool" && (entry.userId === user.id || isGranted(user, given, "write"));
}

/** @throws AppError `not_found` for one that does not exist or that the caller may not use. */
export async function findReadable(ctx: Context, family: Family, id: string, withSource = false): Promise<Found> {
  return find(ctx, requireUser(ctx), family, id, withSource);
}

/** Who may change plugins of this family; of tools also their owner and grants decide. @throws AppError `forbidden` */
export function requireEditor(ctx: Context, family: Family): User {
  return family === "function" ? requireAdmin(ctx) : requireUser(ctx);
}

/** With its source. @throws AppError `not_found`; `forbidden` for one that the caller may only use. */
export async function findWritable(ctx: Context, family: Family, id: string): Promise<Found> {
  const user = requireEditor(ctx, family);
  const found = await find(ctx, user, family, id, true);
  if (!found.canWrite)
    throw new AppError("forbidden", `You can use ${found.entry.name} but not change it. Ask its owner for access`);
  return found;
}

async function find(ctx: Context, user: User, family: Family, id: string, withSource: boolean): Promise<Found> {
  const [[row], given] = await ctx.db.batch([
    ctx.db
      .select({
        ...entryColumns,
        sealedValves: plugins.sealedValves,
        source: withSource ? plugins.source : sql<string>`''`,
      })
      .from(plugins)
      .leftJoin(users, ownerOf)
      .where(isPlugin(family, id)),
    selectToolGrants(ctx, family === "tool" ? id : undefined),
  ]);
  if (!row) throw unknownPlugin(family, id);
  const { sealedValves, source, ...entry } = row;
  if (!mayRead(user, entry, given)) throw unknownPlugin(family, id);
  return { user, entry, source, sealedValves, grants: given, canWrite: mayWrite(user, entry, given) };
}

/** Statement: the grants of a tool; none for undefined, because functions have no grants. */
export function selectToolGrants({ db }: Pick<Context, "db">, id: string | undefined) {
  return db
    .select()
    .from(grants)
    .where(id === undefined ? sql`0` : sql`${eq(grants.resourceType, "tool")} AND ${eq(grants.resourceId, id)}`)
    .orderBy(grants.id);
}

export function unknownPlugin(family: Family, id: string): AppError {
  return new AppError("not_found", `No ${family} with the id ${id.slice(0, 100)}`, { param: "id" });
}
