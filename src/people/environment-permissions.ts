import type { Environment } from "../context.ts";
import type { Permission, PartialPermissions } from "./permissions.ts";

/** Default permissions that a variable decides, by leaf. */
const variables = { "features.api_keys": "USER_PERMISSIONS_FEATURES_API_KEYS" } as const satisfies Partial<
  Record<Permission, keyof Environment>
>;

type Tree = Record<string, Record<string, boolean> | undefined>;

/** The stored defaults with what the environment decides laid over them. */
export function withEnvironment(environment: Environment, defaults: PartialPermissions): PartialPermissions {
  const tree: Tree = { ...(defaults as Tree) };
  for (const [permission, name] of Object.entries(variables)) {
    const value = environment[name];
    const [branch, leaf] = permission.split(".") as [string, string];
    if (value !== undefined && value !== null) tree[branch] = { ...tree[branch], [leaf]: value };
  }
  return tree as PartialPermissions;
}

/** Leaves of the tree that say something else than the environment, which has fixed them. */
export function lockedLeaves(environment: Environment, tree: PartialPermissions): Permission[] {
  return (Object.entries(variables) as [Permission, keyof Environment][])
    .filter(([permission, name]) => {
      const [branch, leaf] = permission.split(".") as [string, string];
      const fixed = environment[name];
      const said = (tree as Tree)[branch]?.[leaf];
      return fixed !== undefined && fixed !== null && said !== undefined && said !== fixed;
    })
    .map(([permission]) => permission);
}
