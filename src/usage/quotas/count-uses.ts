import { sql, type SQL } from "drizzle-orm";
import { directUse } from "../direct-use.ts";
import { quotaCounters, quotas } from "./tables.ts";
import { windowStart } from "./windows.ts";

/**
 * Whose usage a quota counts, in SQL over a row `q` of quotas: amounts per person count the person's own usage in any
 * scope, so that people who join a group keep their usage.
 */
export const countedKind = sql`CASE WHEN q.scope = 'key' THEN 'key' WHEN q.scope = 'person' OR NOT q.is_shared THEN 'person' ELSE q.scope END`;

/**
 * Whether a usage, a row `n` of the ledger, belongs to a counter of the kind `k.kind` for `k.subject_id`; "" means each
 * person.
 */
export const isCounted = sql`n.connection_id <> ${directUse} AND (k.model = '' OR k.model IN (n.model, n.base_model)) AND CASE k.kind
  WHEN 'person' THEN n.user_id <> '' WHEN 'key' THEN n.key_id = k.subject_id WHEN 'organization' THEN n.organization_id = k.subject_id
  WHEN 'group' THEN EXISTS (SELECT 1 FROM group_members m WHERE m.group_id = k.subject_id AND m.user_id = n.user_id) ELSE 1 END`;

/**
 * Adds the tokens of usage to the counters that quotas need.
 * @param rows a subquery in brackets for rows of the ledger
 */
export function countTokens(rows: SQL): SQL {
  const counters = sql`SELECT DISTINCT ${countedKind} AS kind, CASE ${countedKind} WHEN 'person' THEN '' ELSE q.subject_id END AS subject_id,
    q.model, q.period FROM ${quotas} q WHERE q.unit = 'tokens' AND q.amount IS NOT NULL`;
  return sql`INSERT INTO ${quotaCounters} (kind, subject_id, model, unit, period, start, used)
    SELECT k.kind, CASE k.kind WHEN 'person' THEN n.user_id ELSE k.subject_id END, k.model, 'tokens', k.period,
      ${windowStart(sql`k.period`, sql`n.at`)}, sum(n.total)
    FROM (${counters}) k JOIN ${rows} n ON ${isCounted} WHERE n.total > 0 AND NOT n.is_free GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT DO UPDATE SET used = used + excluded.used`;
}
