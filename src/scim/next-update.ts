import { sql, type SQL } from "drizzle-orm";

/** How far `lastModified` may run ahead of the clock, in seconds. */
const maxAheadSeconds = 2;

/**
 * The new `updated_at` of a changed row. Times are whole seconds, and clients that compare `lastModified` must notice
 * each change: a second change within the same second is dated one second later.
 */
export function nextUpdate(now: number, column: SQL): SQL<number> {
  return sql<number>`max(${now}, min(${column} + 1, ${now + maxAheadSeconds}))`;
}
