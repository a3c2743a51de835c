import type { GrantView } from "../../people/grants/schema.ts";

/** Stored grants without their ids: as forms hold them and the service takes them. */
export function plainGrants(stored: readonly GrantView[]): GrantView[] {
  return stored.map(({ principal_type, principal_id, permission }) => ({ principal_type, principal_id, permission }));
}
