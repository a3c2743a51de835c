import { requireAdmin, requireManager } from "../access.ts";
import type { Context } from "../context.ts";
import { settings } from "../db/tables.ts";
import { AppError } from "../errors.ts";
import { auditRow } from "./audit/audit-row.ts";
import { defaultPermissionsRow } from "./auth/resolve-actor.ts";
import { lockedLeaves, withEnvironment } from "./environment-permissions.ts";
import { effectivePermissions, factoryPermissions, type PartialPermissions, type Permissions } from "./permissions.ts";
import { recheckEverybody } from "./recheck.ts";

/**
 * The default permissions, which apply to everyone. Also for an organization's administrators, because their groups add
 * to them.
 */
export function getDefaultPermissions(ctx: Context): Permissions {
  requireManager(ctx);
  return effectivePermissions(ctx.defaultPermissions, []);
}

/** The built-in default permissions. */
export function getFactoryPermissions(ctx: Context): Permissions {
  requireAdmin(ctx);
  return factoryPermissions;
}

/**
 * Replaces all default permissions; missing ones get their built-in value, or the one set by the environment. Omitting
 * a permission never grants it: one that is off stays off. Effective from the next request on.
 * @throws AppError `setting_locked` (403) if a value contradicts the environment.
 */
export async function setDefaultPermissions(ctx: Context, given: PartialPermissions): Promise<Permissions> {
  requireAdmin(ctx);
  const [locked] = lockedLeaves(ctx.environment, given);
  if (locked)
    throw new AppError("setting_locked", `Set by the environment, so it cannot be changed here: ${locked}`, {
      param: locked,
    });
  const now = ctx.now();
  const before = effectivePermissions(ctx.defaultPermissions, []);
  const tree = withoutNewGrants(given, before);
  const after = effectivePermissions(withEnvironment(ctx.environment, tree), []);
  await ctx.db.batch([
    ctx.db
      .insert(settings)
      .values({ name: defaultPermissionsRow, value: tree, updatedAt: now })
      .onConflictDoUpdate({ target: settings.name, set: { value: tree, updatedAt: now } }),
    auditRow(ctx, {
      action: "permissions.default_updated",
      targetType: "permissions",
      targetId: "default",
      detail: { from: before, to: after },
    }),
  ]);
  await recheckEverybody(ctx);
  return after;
}

/** The tree with a no for each leaf that it leaves out, that is off, and that the factory would open again. */
function withoutNewGrants(given: PartialPermissions, before: Permissions): PartialPermissions {
  const tree = structuredClone(given) as Record<string, Record<string, boolean> | undefined>;
  for (const [branch, leaves] of Object.entries(factoryPermissions)) {
    for (const [leaf, open] of Object.entries(leaves)) {
      const isOff = !(before as Record<string, Record<string, boolean>>)[branch]![leaf];
      if (open && isOff && tree[branch]?.[leaf] === undefined) tree[branch] = { ...tree[branch], [leaf]: false };
    }
  }
  return tree as PartialPermissions;
}
