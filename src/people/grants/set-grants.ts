import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../context.ts";
import { newId } from "../../lib/id.ts";
import { grantKey } from "./grant.ts";
import type { Shared } from "./may-use.ts";
import type { GrantView } from "./schema.ts";
import { grants } from "./tables.ts";

/**
 * Statements that make the grants of a thing exactly these, for whoever may write at that moment. Those that are new come first
 * and the others go in one statement: people may take away the very grant that lets them.
 */
export function setGrants(
  ctx: Context,
  type: Shared["type"],
  id: string | SQL,
  given: readonly GrantView[],
  writable: SQL,
): BatchItem<"sqlite">[] {
  const rows = [...new Map(given.map((grant) => [grantKey(grant), grant])).entries()].map(([key, grant]) => [
    newId(),
    key,
    grant.principal_type,
    grant.principal_id,
    grant.permission,
  ]);
  const list = sql`json_each(${JSON.stringify(rows)})`;
  return [
    ctx.db
      .insert(grants)
      .select(
        sql`SELECT value ->> 0, ${type}, ${id}, value ->> 2, value ->> 3, value ->> 4, ${ctx.now()} FROM ${list} WHERE ${writable}`,
      )
      .onConflictDoNothing(),
    ctx.db.run(sql`DELETE FROM grants WHERE resource_type = ${type} AND resource_id = ${id}
      AND principal_type || '/' || principal_id || '/' || permission NOT IN (SELECT value ->> 1 FROM ${list}) AND ${writable}`),
  ];
}
