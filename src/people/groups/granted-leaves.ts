import { sql, type SQL } from "drizzle-orm";
import { hasPermission, type User } from "../../access.ts";
import { AppError } from "../../errors.ts";
import { allPermissions, type PartialPermissions, type Permission } from "../permissions.ts";
import { groups } from "./tables.ts";

/*
 * Nobody grants through a group what they do not have themselves. System administrators have everything; an organization's
 * administrators are measured by what they may do at this moment, themselves members or not.
 */

const leaves = Object.entries(allPermissions).flatMap(([branch, names]) =>
  Object.keys(names).map((leaf) => `${branch}.${leaf}` as Permission),
);

function missing(actor: Pick<User, "role" | "permissions">): Permission[] {
  return leaves.filter((leaf) => !hasPermission(actor, leaf));
}

/** Permissions in a tree that the actor does not have. */
export function grantsBeyond(actor: User, tree: PartialPermissions): Permission[] {
  const given = (leaf: Permission) => {
    const [branch, name] = leaf.split(".") as [string, string];
    return (tree as Record<string, Record<string, boolean> | undefined>)[branch]?.[name] === true;
  };
  return missing(actor).filter(given);
}

/** SQL: JSON text of the permissions that the group does not grant yet; a save may leave the others unchanged. */
export function notGrantedYet(groupId: string, given: Permission[]): SQL {
  return leavesThat(groupId, given, 0);
}

/**
 * SQL: JSON text of permissions that the group grants and the actor does not have, because adding members grants them.
 */
export function grantedBeyond(actor: Pick<User, "role" | "permissions">, groupId: string): SQL {
  return leavesThat(groupId, missing(actor), 1);
}

/** SQL: whether the person has a permission through a group that the actor does not have. */
export function hasGrantsBeyond(actor: User, userId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM group_members m JOIN ${groups} g ON g.id = m.group_id
    JOIN json_each(${JSON.stringify(missing(actor))}) b
    WHERE m.user_id = ${userId} AND g.permissions ->> ('$.' || b.value) = 1)`;
}

function leavesThat(groupId: string, given: Permission[], granted: 0 | 1): SQL {
  return sql`(SELECT json_group_array(b.value) FROM json_each(${JSON.stringify(given)}) b
    WHERE coalesce((SELECT permissions ->> ('$.' || b.value) FROM ${groups} WHERE id = ${groupId}), 0) = ${granted})`;
}

/**
 * @param beyond JSON text of permissions
 * @throws AppError `forbidden` with the first one.
 */
export function requireNone(beyond: string): void {
  const [leaf] = JSON.parse(beyond) as string[];
  if (leaf !== undefined)
    throw new AppError("forbidden", `You cannot grant the permission ${leaf}: you do not have it yourself`, {
      param: "permissions",
    });
}
