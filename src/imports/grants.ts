import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import * as z from "zod";
import { everyone, grantKey } from "../people/grants/grant.ts";
import { replaceGrants } from "../people/grants/grants.ts";
import type { GrantView } from "../people/grants/schema.ts";
import type { grants as grantsTable } from "../people/grants/tables.ts";
import type { ImportRun, Reference } from "./kind.ts";
import { sourceId } from "./schema.ts";

/** Grants as a record has them. `user` with the id `*` is everyone who is signed in; `anyone` is the whole internet. */
export const grantsField = z
  .array(
    z.object({
      principal_type: z.enum(["user", "group", "organization", "anyone"]),
      principal_id: sourceId,
      permission: z.enum(["read", "write"]),
    }),
  )
  .max(10_000)
  .default([]);
type Grants = z.infer<typeof grantsField>;

/** Kinds of records by what a grant is for. */
const kindOf = { user: "person", group: "group", organization: "organization" } as const;

/** The people, groups and organizations that they name, for `references`. */
export function grantReferences(grants: Grants): Reference[] {
  return grants.flatMap(({ principal_type: type, principal_id: id }) => {
    if (type === "anyone" || id === everyone) return [];
    return [{ kind: kindOf[type], id }];
  });
}

/** The grants with ids of here; what cannot be granted here is in the notes. */
export function resolveGrants(run: ImportRun, grants: Grants): { given: GrantView[]; notes: string[] } {
  const found = new Map<string, GrantView>();
  const missing = { user: new Set<string>(), group: new Set<string>(), organization: new Set<string>() };
  let isForAnyone = false;
  for (const { principal_type: type, principal_id: source, permission } of grants) {
    if (type === "anyone") {
      isForAnyone = true;
      continue;
    }
    const isForAll = source === everyone;
    if (isForAll && type !== "user") continue;
    const principalId = isForAll ? everyone : run.find(kindOf[type], source);
    if (principalId === undefined) missing[type].add(source);
    else {
      const grant: GrantView = { principal_type: type, principal_id: principalId, permission };
      found.set(grantKey(grant), grant);
    }
  }
  return {
    given: [...found.values()],
    notes: [
      ...(missing.user.size > 0 ? [`Shared with ${missing.user.size} people who weren't imported`] : []),
      ...(missing.group.size > 0 ? [`Shared with ${missing.group.size} groups that weren't imported`] : []),
      ...(missing.organization.size > 0
        ? [`Shared with ${missing.organization.size} organizations that weren't imported`]
        : []),
      ...(isForAnyone ? ["Was open to people without an account: here only people who sign in see it"] : []),
    ],
  };
}

/** Statements that store grants of a new thing, after it, and the notes. */
export function grantStatements(
  run: ImportRun,
  resourceType: (typeof grantsTable.$inferSelect)["resourceType"],
  id: string,
  grants: Grants,
): { statements: BatchItem<"sqlite">[]; given: GrantView[]; notes: string[] } {
  const { given, notes } = resolveGrants(run, grants);
  return {
    given,
    notes,
    statements: given.length === 0 ? [] : [...replaceGrants(run.ctx, resourceType, id, given, sql`1`)],
  };
}
