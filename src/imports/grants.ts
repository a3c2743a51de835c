import type { BatchItem } from "drizzle-orm/batch";
import * as z from "zod";
import { newId } from "../lib/id.ts";
import { everyone } from "../people/grants/grant.ts";
import { grants as grantsTable } from "../people/grants/tables.ts";
import type { ImportRun, Reference } from "./kind.ts";
import { sourceId } from "./schema.ts";

/** Grants as a record has them. `user` with the id `*` is everyone who is signed in; `anyone` is the whole internet. */
export const grantsField = z
  .array(
    z.object({
      principal_type: z.enum(["user", "group", "anyone"]),
      principal_id: sourceId,
      permission: z.enum(["read", "write"]),
    }),
  )
  .max(10_000)
  .default([]);
type Grants = z.infer<typeof grantsField>;

/** The people and groups that they name, for `references`. */
export function grantReferences(grants: Grants): Reference[] {
  return grants.flatMap(({ principal_type: type, principal_id: id }) => {
    if (type === "anyone" || id === everyone) return [];
    return [{ kind: type === "user" ? "person" : "group", id }];
  });
}

/** Statements that store grants of a new thing, after it; what cannot be granted here is in the notes. */
export function grantStatements(
  run: ImportRun,
  resourceType: (typeof grantsTable.$inferSelect)["resourceType"],
  id: string,
  grants: Grants,
): { statements: BatchItem<"sqlite">[]; notes: string[] } {
  const { ctx } = run;
  const found = new Map<string, typeof grantsTable.$inferInsert>();
  const missing = { user: new Set<string>(), group: new Set<string>() };
  let isForAnyone = false;
  for (const { principal_type: type, principal_id: source, permission } of grants) {
    if (type === "anyone") {
      isForAnyone = true;
      continue;
    }
    const isForAll = source === everyone;
    if (isForAll && type === "group") continue;
    const principalId = isForAll ? everyone : run.find(type === "user" ? "person" : "group", source);
    if (principalId === undefined) missing[type].add(source);
    else
      found.set(JSON.stringify([type, principalId, permission]), {
        id: newId(),
        resourceType,
        resourceId: id,
        principalType: type,
        principalId,
        permission,
        createdAt: ctx.now(),
      });
  }
  return {
    // One statement for 80 rows: each takes seven parameters.
    statements: chunks([...found.values()], 80).map((rows) =>
      ctx.db.insert(grantsTable).values(rows).onConflictDoNothing(),
    ),
    notes: [
      ...(missing.user.size > 0 ? [`Shared with ${missing.user.size} people who were not brought`] : []),
      ...(missing.group.size > 0 ? [`Shared with ${missing.group.size} groups that were not brought`] : []),
      ...(isForAnyone ? ["Was open to people without an account: here only people who sign in see it"] : []),
    ],
  };
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}
