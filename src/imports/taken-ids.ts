import { sql, type SQL } from "drizzle-orm";

/**
 * SELECT of those of the given ids that a record cannot keep: the table has them, or they are none that stands in addresses and grants
 * (`*` is everyone).
 */
export function takenIds(table: "users" | "groups" | "api_keys" | "prompts", ids: SQL): SQL {
  return sql`SELECT id FROM ${sql.identifier(table)} WHERE id IN ${ids}
    UNION SELECT value AS id FROM ${ids} WHERE length(value) > 100 OR value GLOB '*[^-A-Za-z0-9_]*'`;
}
