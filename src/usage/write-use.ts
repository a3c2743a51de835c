import { sql } from "drizzle-orm";
import type { Services } from "../context.ts";
import { countTokens } from "./quotas/count-uses.ts";
import { usageDays, usageRecords } from "./tables.ts";
import { type UsageState, usageState, type UseRecord } from "./usage-state.ts";

/** How long records are collected before they are written, milliseconds. */
export const flushDelayMs = 200;
/** If a write has not started this long after it was due, another request starts it. */
export const graceMs = 600;
/** A writer that has not come back by then, milliseconds, has gone; its rows are written again, which changes nothing where it had written them. */
const lostAfterMs = 40_000;
/** Rows of one batch: some 5 ms of the write lock. */
const atOnce = 200;
/** Rows that wait at most while the database is away; then the oldest are given up. */
const maxWaiting = 20_000;
/** How often one writer tries, and the pause before its second try, milliseconds; each further one is twice as long. */
const patientTries = 6;
const firstPauseMs = 500;

type WritingServices = Pick<Services, "db" | "environment" | "log">;

/**
 * Writes the records collected in this isolate; no round trip if there are none. Never fails: records that cannot be
 * written wait for the next write.
 */
export async function flushUse(
  services: WritingServices,
  options: { delayMs?: number; tries?: number } = {},
): Promise<void> {
  const { delayMs = 0, tries = 1 } = options;
  const state = usageState(services);
  if (delayMs > 0) await waitUntilDue(state, delayMs);
  for (let failures = 0; ;) {
    const records = take(state);
    if (records.length === 0) return;
    const batch = { since: Date.now(), records };
    state.writing.add(batch);
    try {
      await writeUse(services, records);
      state.writing.delete(batch);
      failures = 0;
    } catch (error) {
      state.writing.delete(batch);
      state.waiting.unshift(...records);
      const lost = state.waiting.splice(0, Math.max(0, state.waiting.length - maxWaiting));
      services.log.warn("could not store usage", { rows: records.length, given_up: lost.length, error });
      if (++failures >= tries) return;
      await waitUntilDue(state, firstPauseMs * 2 ** (failures - 1));
    }
  }
}

/** After a response, in the background: collects records for a moment, and writes them with retries. */
export function flushSoon(services: WritingServices): Promise<void> {
  return flushUse(services, { delayMs: flushDelayMs, tries: patientTries });
}

/** The next rows, those of lost writers first. */
function take(state: UsageState): UseRecord[] {
  for (const batch of state.writing) {
    if (Date.now() - batch.since < lostAfterMs) continue;
    state.writing.delete(batch);
    state.waiting.unshift(...batch.records);
  }
  return state.waiting.splice(0, atOnce);
}

/** Others leave the writing to this one meanwhile, and what comes from then on to the next. */
async function waitUntilDue(state: UsageState, milliseconds: number): Promise<void> {
  state.flushAt = Date.now() + milliseconds;
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  state.flushAt = 0;
}

const columns = [
  "id",
  "at",
  "userId",
  "keyId",
  "organizationId",
  "model",
  "baseModel",
  "connectionId",
  "api",
  "state",
  "code",
  "input",
  "cached",
  "cacheWrite",
  "output",
  "reasoning",
  "total",
  "isEstimated",
  "isProbe",
  "isFree",
  "requests",
  "durationMs",
  "firstMs",
] as const satisfies readonly (keyof UseRecord)[];

/** Writes ledger rows, their daily totals and quota counters, in one batch. An existing row changes nothing. */
export async function writeUse({ db }: Pick<Services, "db">, records: readonly UseRecord[]): Promise<void> {
  const given = JSON.stringify(records.map((record) => columns.map((name) => record[name])));
  const cells = columns.map((name, at) => sql.raw(`value ->> ${at} AS ${usageRecords[name].name}`));
  const rows = sql`SELECT ${sql.join(cells, sql`, `)} FROM json_each(${given})`;
  /** Those that are not there yet; also what keeps SQLite from reading ON CONFLICT as a join's ON. */
  const fresh = sql`(SELECT * FROM (${rows}) g WHERE NOT EXISTS (SELECT 1 FROM usage_records r WHERE r.id = g.id))`;
  await db.batch([
    db.run(sql`INSERT INTO ${usageDays} (day, user_id, key_id, organization_id, model, base_model, connection_id, api, calls, requests,
        errors, input, cached, cache_write, output, reasoning, total, estimated, duration_ms, probes, free_requests,
        free_total)
      SELECT at / 86400, user_id, key_id, organization_id, model, base_model, connection_id, api, count(*), sum(requests),
        sum(state = 'error'), sum(input), sum(cached), sum(cache_write), sum(output), sum(reasoning), sum(total),
        sum(CASE WHEN is_estimated THEN total ELSE 0 END), sum(duration_ms), sum(is_probe), sum(is_free * requests),
        sum(is_free * total)
      FROM ${fresh} n WHERE true GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
      ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, requests = requests + excluded.requests, errors = errors + excluded.errors,
        input = input + excluded.input, cached = cached + excluded.cached, cache_write = cache_write + excluded.cache_write,
        output = output + excluded.output, reasoning = reasoning + excluded.reasoning, total = total + excluded.total,
        estimated = estimated + excluded.estimated, duration_ms = duration_ms + excluded.duration_ms,
        probes = probes + excluded.probes, free_requests = free_requests + excluded.free_requests,
        free_total = free_total + excluded.free_total`),
    db.run(countTokens(fresh)),
    db.run(
      sql`INSERT OR IGNORE INTO ${usageRecords} (${sql.raw(columns.map((name) => usageRecords[name].name).join(", "))}) ${rows}`,
    ),
  ]);
}
