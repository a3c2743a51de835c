import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { directUse } from "../direct-use.ts";
import { type UsageState, usageState, type UseRecord } from "../usage-state.ts";
import type { Limit } from "./applicable-limits.ts";
import { quotaCounters } from "./tables.ts";
import { windowAt } from "./windows.ts";

/** A limit in its current window. */
export interface LimitState extends Limit {
  /** Epoch seconds. */
  start: number;
  end: number;
  /** What the database knows and what waits in this isolate to be written. */
  used: number;
}

/**
 * The usage of each limit; one round trip. With `take`, counts one request for limits on requests, unless any limit is
 * reached: decided inside the statement, so that concurrent requests cannot exceed it.
 */
export async function readLimits(
  ctx: Pick<Context, "db" | "environment" | "now">,
  limits: readonly Limit[],
  { take, groupIds }: { take: boolean; groupIds: readonly string[] },
): Promise<LimitState[]> {
  const { db } = ctx;
  const state = usageState(ctx);
  const now = ctx.now();
  const windows = limits.map((limit) => {
    const window = windowAt(limit.period, now);
    return { ...limit, ...window, used: waitingFor(state, limit, window.start, groupIds) };
  });
  const asked = JSON.stringify(
    windows.map((each) => [
      each.kind,
      each.subjectId,
      each.model,
      each.unit,
      each.period,
      each.start,
      each.amount - each.used,
    ]),
  );
  const key = sql`c.subject_id = value ->> 1 AND c.kind = value ->> 0 AND c.model = value ->> 2 AND c.unit = value ->> 3
    AND c.period = value ->> 4 AND c.start = value ->> 5`;
  const read = db.all<{ at: number; used: number }>(
    sql`SELECT j.key AS at, c.used FROM json_each(${asked}) j JOIN ${quotaCounters} c ON ${key}`,
  );
  const hasNone = windows.some((each) => each.used >= each.amount);
  const takes = take && !hasNone && windows.some(({ unit }) => unit === "requests");
  const found = takes
    ? (
        await db.batch([
          read,
          db.run(sql`INSERT INTO ${quotaCounters} (kind, subject_id, model, unit, period, start, used)
            SELECT DISTINCT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, 1 FROM json_each(${asked})
            WHERE value ->> 3 = 'requests' AND NOT EXISTS (
              SELECT 1 FROM json_each(${asked}) j JOIN ${quotaCounters} c ON ${key} WHERE c.used >= value ->> 6)
            ON CONFLICT DO UPDATE SET used = used + 1`),
        ])
      )[0]
    : await read;
  for (const { at, used } of found) windows[at]!.used += used;
  return windows;
}

/** Tokens that this isolate has not written yet; requests are counted when they are let in. */
function waitingFor(state: UsageState, limit: Limit, start: number, groupIds: readonly string[]): number {
  if (limit.unit === "requests") return 0;
  let tokens = 0;
  const add = (record: UseRecord) => {
    if (record.at >= start && !record.isFree && isCounted(record, limit, groupIds)) tokens += record.total;
  };
  for (const { records } of state.writing) records.forEach(add);
  state.waiting.forEach(add);
  return tokens;
}

/** As the SQL of `countTokens`, except for other members of a shared group, whom nobody knows here. */
function isCounted(record: UseRecord, { kind, subjectId, model }: Limit, groupIds: readonly string[]): boolean {
  if (record.connectionId === directUse) return false;
  if (model !== "" && model !== record.model && model !== record.baseModel) return false;
  switch (kind) {
    case "person":
      return record.userId === subjectId;
    case "key":
      return record.keyId === subjectId;
    case "organization":
      return record.organizationId === subjectId;
    case "group":
      return groupIds.includes(subjectId);
    case "everyone":
      return true;
    case "probe":
      return false;
  }
}
