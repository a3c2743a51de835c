import { requireAdmin, requireManager } from "../access.ts";
import type { Context } from "../context.ts";
import { settings } from "../db/tables.ts";
import { AppError } from "../errors.ts";
import { auditRow } from "./audit/audit-row.ts";
import { defaultPermissionsRow } from "./auth/resolve-actor.ts";
import { lockedLeaves, withEnvironment } from "./environment-permissions.ts";
import { effectivePermissions, factoryPermissions, type PartialPermissions, type Permissions } from "./permissions.ts";
import { recheckEverybody } from "./recheck.ts";

/** What everyone may do without a group. An organization's administrators are told too: their groups add to it. */
export function getDefaultPermissions(ctx: Context): Permissions {
  requireManager(ctx);
  return effectivePermissions(ctx.defaultPermissions, []);
}

/** What everyone may do as long as nobody has changed it. */
export function getFactoryPermissions(ctx: Context): Permissions {
  requireAdmin(ctx);
  return factoryPermissions;
}

/**
 * Replaces the whole tree; leaves that are left out have their factory value again, or the one that the environment fixes.
 * Leaving one out grants nothing, though: what is off and not named stays off. Holds from the next request on.
 * @throws AppError `setting_locked` (403) where the tree says something else than the environment.
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
