import { sql, type SQL } from "drizzle-orm";
import { usageDays, usageRecords } from "../tables.ts";
import { countedKind, isCounted } from "./count-uses.ts";
import type { QuotaPeriod } from "./schema.ts";
import { quotaCounters, quotas } from "./tables.ts";
import { windowAt } from "./windows.ts";

/** Sets the counters of a new quota from the ledger for the current window: earlier usage counts. */
export function countPast(quotaId: string, period: QuotaPeriod, now: number): SQL {
  const { start } = windowAt(period, now);
  const ledger =
    period === "hour"
      ? sql`(SELECT * FROM ${usageRecords} WHERE at >= ${start})`
      : sql`(SELECT * FROM ${usageDays} WHERE day >= ${start / 86_400})`;
  // Days hold the sums of free probes beside those of everything; calls are free or not.
  const [tokens, requests] =
    period === "hour"
      ? [sql`n.total * (NOT n.is_free)`, sql`n.requests * (NOT n.is_free)`]
      : [sql`n.total - n.free_total`, sql`n.requests - n.free_requests`];
  const counter = sql`SELECT ${countedKind} AS kind, q.subject_id, q.model, q.unit, q.period FROM ${quotas} q
    WHERE q.id = ${quotaId} AND q.amount IS NOT NULL`;
  return sql`INSERT INTO ${quotaCounters} (kind, subject_id, model, unit, period, start, used)
    SELECT k.kind, CASE k.kind WHEN 'person' THEN n.user_id ELSE k.subject_id END, k.model, k.unit, k.period, ${start},
      sum(CASE k.unit WHEN 'tokens' THEN ${tokens} ELSE ${requests} END)
    FROM (${counter}) k JOIN ${ledger} n ON ${isCounted} WHERE true GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT DO UPDATE SET used = excluded.used`;
}
