import { type SQL, sql } from "drizzle-orm";
import { users } from "./tables.ts";

/** SQL: home organization of the person, for the audit. */
export function organizationOf(userId: string): SQL {
  return sql`(SELECT organization_id FROM ${users} WHERE id = ${userId})`;
}
