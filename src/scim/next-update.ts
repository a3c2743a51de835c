import { sql, type SQL } from "drizzle-orm";

/** How far `lastModified` may run ahead of the clock, in seconds. */
const maxAheadSeconds = 2;

/**
 * The new `updated_at` of a row that changes. Times are whole seconds, and who compares `lastModified` must see that something
 * has changed: a second change within the same second counts as one of the next.
 */
export function nextUpdate(now: number, column: SQL): SQL<number> {
  return sql<number>`max(${now}, min(${column} + 1, ${now + maxAheadSeconds}))`;
}
