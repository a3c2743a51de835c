import { requireAdmin, requirePermission, type User } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { namedGrants } from "../people/grants/grant.ts";
import { checkGrants } from "../people/grants/grants.ts";
import { loadSource } from "./describe-source.ts";
import type { Family } from "./find-plugin.ts";
import { checkHosts, checkMayOpen } from "./hosts.ts";
import { requirePlugins } from "./open-plugin.ts";
import { selectPackages, toPluginPackages } from "./packages/find-packages.ts";
import { isPlugin } from "./plugin-index.ts";
import { insertPlugin } from "./plugin-statements.ts";
import { takenId, writeAndRead } from "./run-batch.ts";
import { checkMayRunNatively } from "./runners/check-runner.ts";
import type { NewPlugin } from "./schema.ts";
import { plugins } from "./tables.ts";
import { priorityOf } from "./valves/priority.ts";

/** Largest `meta`, in characters of JSON: every isolate keeps those of all plugins in memory. */
const maxMetaLength = 120_000;

/**
 * Requires the permission to create plugins of this family.
 * @throws AppError `forbidden`
 */
export function requireMaker(ctx: Context, family: Family): User {
  return family === "function" ? requireAdmin(ctx) : requirePermission(ctx, "workspace.tools");
}

/**
 * Stores a plugin that loads; functions are switched off at first.
 * @throws AppError `forbidden`; `bad_request` for an invalid or existing id; `plugin_invalid`; `validation_failed` for
 *   invalid hosts and grants; `plugins_disabled`, `plugin_unavailable`.
 */
export async function createPlugin(ctx: Context, family: Family, input: NewPlugin) {
  const user = requireMaker(ctx, family);
  requirePlugins(ctx);
  const id = checkId(input.id);
  const hosts = checkHosts(input.hosts);
  checkMayOpen(user, user.organizationId, hosts, []);
  checkMeta(input.meta);
  const runner = input.runner ?? null;
  if (runner !== null) checkMayRunNatively(ctx, user, runner);
  const given = family === "tool" ? (namedGrants(input) ?? []) : undefined;
  if (given) await checkGrants(ctx, user, "tool", given, []);
  const [taken, packages] = await ctx.db.batch([
    ctx.db.select({ id: plugins.id }).from(plugins).where(isPlugin(family, id)),
    selectPackages(ctx.db, { organizationId: user.organizationId, byAdminOnly: user.role === "admin" }),
  ]);
  if (taken.length > 0) throw takenId();
  const found = await toPluginPackages(ctx, packages);
  const loaded = await loadSource(ctx, family, input.content, found, runner);
  const statements = insertPlugin(ctx, user, {
    family,
    id,
    name: input.name,
    loaded,
    meta: input.meta,
    hosts,
    origin: input.origin,
    runner,
    priority: priorityOf(loaded.info, {}),
    ...(given ? { grants: given } : {}),
  });
  return writeAndRead(ctx, family, id, statements, -1);
}

/** In lower case. @throws AppError `bad_request` */
export function checkId(text: string): string {
  const id = text.trim().toLowerCase();
  if (/^[a-z0-9_]{1,100}$/.test(id)) return id;
  throw new AppError(
    "bad_request",
    "An id can have the letters a to z, digits and underscores, at most 100 characters",
    {
      param: "id",
    },
  );
}

/** @throws AppError `validation_failed` */
export function checkMeta(meta: Record<string, unknown>): void {
  const message = `More than ${maxMetaLength / 1000},000 characters in meta`;
  if (JSON.stringify(meta).length > maxMetaLength)
    throw new AppError("validation_failed", message, { param: "meta", issues: [{ path: "meta", message }] });
}
