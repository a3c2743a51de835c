import type { User } from "../../access.ts";
import type { AccessControl, GrantView, StoredGrant } from "./schema.ts";
import type { grants } from "./tables.ts";

export type Grant = typeof grants.$inferSelect;

/** The id for everyone who is signed in. */
export const everyone = "*";

/** Whether one of the grants gives the person the right; write access includes read access. */
export function isGranted(
  user: Pick<User, "id" | "groupIds" | "organizationId">,
  grants: readonly Grant[],
  permission: "read" | "write",
): boolean {
  return grants.some((grant) => (permission === "read" || grant.permission === "write") && isFor(user, grant));
}

function isFor(user: Pick<User, "id" | "groupIds" | "organizationId">, grant: Grant): boolean {
  if (grant.principalType === "group") return user.groupIds.includes(grant.principalId);
  if (grant.principalType === "organization") return user.organizationId === grant.principalId;
  return grant.principalId === user.id || grant.principalId === everyone;
}

/** The identity of a grant. */
export function grantKey(grant: GrantView): string {
  return `${grant.principal_type}/${grant.principal_id}/${grant.permission}`;
}

export function grantView(grant: Grant): StoredGrant {
  return {
    id: grant.id,
    resource_type: grant.resourceType,
    resource_id: grant.resourceId,
    principal_type: grant.principalType,
    principal_id: grant.principalId,
    permission: grant.permission,
    created_at: grant.createdAt,
  };
}

/** Open WebUI's older shape as grants. */
function fromAccessControl(control: AccessControl): GrantView[] {
  if (control === null) return [{ principal_type: "user", principal_id: everyone, permission: "read" }];
  return (["read", "write"] as const).flatMap((permission) => {
    const { user_ids: users = [], group_ids: groups = [] } = control[permission] ?? {};
    return [
      ...users.map((id): GrantView => ({ principal_type: "user", principal_id: id, permission })),
      ...groups.map((id): GrantView => ({ principal_type: "group", principal_id: id, permission })),
    ];
  });
}

/** The grants in the input, in any format; undefined if it has none. */
export function namedGrants(input: {
  access_grants?: GrantView[] | null | undefined;
  access_control?: AccessControl | undefined;
}): GrantView[] | undefined {
  if (input.access_grants) return input.access_grants;
  return input.access_control === undefined ? undefined : fromAccessControl(input.access_control);
}
