import { and, eq, inArray, not, sql, type SQL } from "drizzle-orm";
import { requireAdmin, requirePermission } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { auditRowIf } from "../people/audit/audit-row.ts";
import { grantView, namedGrants } from "../people/grants/grant.ts";
import { checkGrants } from "../people/grants/grants.ts";
import { checkMeta } from "./create-plugin.ts";
import { type LoadedPlugin, loadPackages, loadSource } from "./describe-source.ts";
import { type Family, findWritable, type Found, unknownPlugin } from "./find-plugin.ts";
import { checkHosts, checkMayOpen } from "./hosts.ts";
import { openValves } from "./open-plugin.ts";
import { isPlugin, type PluginEntry } from "./plugin-index.ts";
import { type PluginUpdate, updatePlugin } from "./plugin-statements.ts";
import { changedMeanwhile, writeAndRead } from "./run-batch.ts";
import { checkMayMove, requireRunner } from "./runners/check-runner.ts";
import type { AccessChange, PluginChange } from "./schema.ts";
import { plugins } from "./tables.ts";
import { checkMayBudget, readBudget } from "./use/budgets.ts";
import { usableValves } from "./valves/check-valves.ts";
import { priorityOf } from "./valves/priority.ts";

/**
 * Updates the given fields. A source is loaded before it is stored, and each different one becomes a version.
 * @throws AppError `forbidden`, `not_found`; `plugin_invalid`, also for a source of another type; `conflict` if someone
 *   else changed the source meanwhile; `validation_failed`, `plugins_disabled`, `plugin_unavailable`.
 */
export async function changePlugin(ctx: Context, family: Family, id: string, change: PluginChange) {
  const found = await findWritable(ctx, family, id);
  const { user, entry, grants } = found;
  if (change.version !== undefined && change.version !== entry.version) throw changedMeanwhile();
  const hosts = change.hosts && checkHosts(change.hosts);
  if (hosts) checkMayOpen(user, entry.organizationId, hosts, entry.hosts);
  if (change.meta) checkMeta(change.meta);
  if (change.budget !== undefined) checkMayBudget(user, entry.organizationId);
  const runner = change.runner === entry.runner ? undefined : change.runner;
  if (runner !== undefined) checkMayMove(ctx, found, runner);
  const given = family === "tool" ? namedGrants(change) : undefined;
  if (given) await checkGrants(ctx, user, "tool", given, grants.map(grantView));
  const sourced = await changeSource(ctx, found, change.content, runner);
  const update: PluginUpdate = {
    name: change.name,
    meta: change.meta,
    // What stays as it is must not make warm isolates cold.
    hosts: hosts && !isSame(hosts, entry.hosts) ? hosts : undefined,
    grants: given,
    origin: change.origin,
    budget: change.budget === undefined ? undefined : readBudget(change.budget),
    runner,
    isOff: family === "tool" ? change.is_off : undefined,
    ...sourced,
  };
  const statements = updatePlugin(ctx, user, entry, update, conditionFor(found, change));
  const written = await writeAndRead(ctx, family, id, statements, -2);
  return { ...written, source: change.content ?? found.source };
}

/** Who made the change saw this version, and what follows from its valves was found out with these. */
function conditionFor({ entry, sealedValves }: Found, change: PluginChange): SQL | undefined {
  const isRead = change.content !== undefined || change.runner !== undefined;
  if (change.version === undefined && !isRead) return undefined;
  return and(
    eq(plugins.version, entry.version),
    // A source that loads in one place is not stored for the other one.
    isRead ? sql`${plugins.runner} IS ${entry.runner}` : undefined,
    !isRead ? undefined : sql`${plugins.sealedValves} IS ${sealedValves}`,
  );
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** What another place to run, too, has to load before it is stored. */
async function changeSource(
  ctx: Context,
  found: Found,
  given: string | undefined,
  runner: string | null | undefined,
): Promise<PluginUpdate> {
  const { entry } = found;
  if (given === undefined && runner === undefined) return {};
  const content = given ?? found.source;
  const isNew = content !== found.source;
  // Anyone who may not write tools any more may still name and share theirs.
  if (isNew && entry.family === "tool") requirePermission(ctx, "workspace.tools");
  const loaded = await loadAgain(ctx, runner === undefined ? entry : { ...entry, runner }, content);
  const values = usableValves(loaded.info.valvesSchema, await openValves(ctx, found.sealedValves));
  return { loaded: { ...loaded, isNew }, priority: priorityOf(loaded.info, values) };
}

/**
 * A new source of the same plugin.
 * @throws AppError `plugin_invalid`, also for another type.
 */
export async function loadAgain(ctx: Context, entry: PluginEntry, content: string): Promise<LoadedPlugin> {
  const packages = await loadPackages(ctx, {
    organizationId: entry.organizationId,
    byAdminOnly: entry.isTrusted,
  });
  requireRunner(ctx, entry);
  const loaded = await loadSource(ctx, entry.family, content, packages, entry.runner);
  checkType(entry, loaded);
  return loaded;
}

/**
 * The type cannot change, because models and chats refer to it.
 * @throws AppError `plugin_invalid`
 */
export function checkType(entry: PluginEntry, { info }: LoadedPlugin): void {
  if (info.type === entry.type) return;
  const message = `${entry.name} is a ${entry.type}, and its type cannot be changed: create another function for this ${info.type}`;
  throw new AppError("plugin_invalid", message, { param: "content", issues: [{ path: "content", message }] });
}

/**
 * Sets who can use a tool.
 * @throws AppError `not_found`, `forbidden`, `validation_failed`.
 */
export async function changeAccess(ctx: Context, id: string, change: AccessChange) {
  const { user, entry, grants } = await findWritable(ctx, "tool", id);
  const given = namedGrants(change) ?? [];
  await checkGrants(ctx, user, "tool", given, grants.map(grantView));
  return writeAndRead(ctx, "tool", id, updatePlugin(ctx, user, entry, { grants: given }, undefined), -2);
}

/**
 * Switches a function on or off; toggles it if `wanted` is missing.
 * @throws AppError `forbidden`, `not_found`.
 */
export async function toggleFunction(ctx: Context, id: string, wanted?: boolean | null): Promise<PluginEntry> {
  return flip(ctx, id, "isActive", wanted, undefined);
}

/**
 * Makes a filter or action global, or undoes it; toggles it if `wanted` is missing.
 * @throws AppError `forbidden`, `not_found`; `bad_request` for a pipe, which is a model itself.
 */
export async function toggleGlobalFunction(ctx: Context, id: string, wanted?: boolean | null): Promise<PluginEntry> {
  return flip(ctx, id, "isGlobal", wanted, inArray(plugins.type, ["filter", "action"]));
}

async function flip(
  ctx: Context,
  id: string,
  flag: "isActive" | "isGlobal",
  wanted: boolean | null | undefined,
  condition: SQL | undefined,
): Promise<PluginEntry> {
  requireAdmin(ctx);
  const column = plugins[flag];
  const isIt = isPlugin("function", id);
  const statements = [
    ctx.db
      .update(plugins)
      .set({ [flag]: wanted ?? not(column), updatedAt: ctx.now() })
      .where(and(isIt, condition)),
    auditRowIf(ctx, {
      action: "function.toggled",
      targetType: "function",
      targetId: id,
      detail: sql`(SELECT json_object(${column.name}, json(iif(${column}, 'true', 'false'))) FROM ${plugins} WHERE ${isIt})`,
    }),
  ];
  try {
    return (await writeAndRead(ctx, "function", id, statements, -2)).entry;
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict")
      throw new AppError("bad_request", "Only filters and actions can be global", { cause: error });
    throw error;
  }
}

/**
 * Deletes it with its versions, values and grants.
 * @throws AppError `not_found`, `forbidden`.
 */
export async function deletePlugin(ctx: Context, family: Family, id: string): Promise<void> {
  const { entry } = await findWritable(ctx, family, id);
  const [rows] = await ctx.db.batch([
    ctx.db.delete(plugins).where(isPlugin(family, id)).returning({ id: plugins.id }),
    auditRowIf(ctx, {
      action: `${family}.deleted`,
      targetType: family,
      targetId: id,
      ...(family === "tool" ? { organizationId: entry.organizationId } : {}),
      detail: { name: entry.name, type: entry.type },
    }),
  ]);
  if (rows.length === 0) throw unknownPlugin(family, id);
}
