import { sql, type SQL } from "drizzle-orm";
import type { QuotaPeriod } from "./schema.ts";

/** A period's window in UTC: its first moment, and that of the next one; epoch seconds. */
export function windowAt(period: QuotaPeriod, now: number): { start: number; end: number } {
  if (period === "month") {
    const date = new Date(now * 1000);
    const first = (month: number) => Date.UTC(date.getUTCFullYear(), month, 1) / 1000;
    return { start: first(date.getUTCMonth()), end: first(date.getUTCMonth() + 1) };
  }
  const length = period === "hour" ? 3600 : 86_400;
  const start = now - (now % length);
  return { start, end: start + length };
}

/** The same first moment in SQL, from two columns. */
export function windowStart(period: SQL, at: SQL): SQL {
  return sql`CASE ${period} WHEN 'hour' THEN ${at} - ${at} % 3600 WHEN 'day' THEN ${at} - ${at} % 86400
    ELSE CAST(strftime('%s', ${at}, 'unixepoch', 'start of month') AS INTEGER) END`;
}
