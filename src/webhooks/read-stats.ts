import { sql } from "drizzle-orm";
import type { Context } from "../context.ts";
import { requireEndpoint } from "./require-endpoint.ts";
import type { DeliveryState, StatsBucket, StatsQuery, WebhookStats, WhoseEndpoint } from "./schema.ts";

const hour = 3600_000;
const day = 24 * hour;

/** How long each bucket is, and how many there are. */
const spans = { hour: { length: hour, count: 48 }, day: { length: day, count: 30 } } as const;

interface BucketRow {
  at: number;
  succeeded: number;
  failed: number;
  p50: number | null;
  p95: number | null;
}

/**
 * Results of recent attempts, without tests. One round trip.
 * @throws AppError `forbidden`
 */
export async function readStats(ctx: Context, whose: WhoseEndpoint, { by }: StatsQuery): Promise<WebhookStats> {
  const { owner } = requireEndpoint(ctx, whose);
  const { length, count } = spans[by];
  const now = Date.now();
  // A bound number may be none that is whole to SQL.
  const step = sql.raw(String(length));
  const from = Math.floor(now / length) * length - (count - 1) * length;
  const endpoint = sql`(SELECT id FROM webhook_endpoints WHERE owner = ${owner})`;
  // Ranks of what was taken, by how long it took: the nearest rank is the percentile.
  const attempts = sql`SELECT a.started_at / ${step} * ${step} AS at, a.duration,
      a.status BETWEEN 200 AND 299 AS taken
    FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
    WHERE d.endpoint_id = ${endpoint} AND d.event <> 'test' AND a.started_at >= ${from} AND a.error IS NOT 'unfinished'`;
  const ranked = sql`SELECT at, duration, taken, row_number() OVER (PARTITION BY at, taken ORDER BY duration) AS rank,
      count(*) OVER (PARTITION BY at, taken) AS size FROM (${attempts})`;
  const [rows, states] = await ctx.db.batch([
    ctx.db.all<BucketRow>(sql`SELECT at, sum(coalesce(taken, 0)) AS succeeded, sum(1 - coalesce(taken, 0)) AS failed,
        min(CASE WHEN taken = 1 AND rank * 2 >= size THEN duration END) AS p50,
        min(CASE WHEN taken = 1 AND rank * 20 >= size * 19 THEN duration END) AS p95
      FROM (${ranked}) GROUP BY at`),
    ctx.db.all<{ state: DeliveryState; count: number }>(sql`SELECT state, count(*) AS count FROM webhook_deliveries
      WHERE endpoint_id = ${endpoint} AND event <> 'test' AND created_at >= ${from} GROUP BY state`),
  ]);
  const found = new Map(rows.map((row) => [row.at, row]));
  const buckets = Array.from({ length: count }, (_, index): StatsBucket => {
    const at = from + index * length;
    return found.get(at) ?? { at, succeeded: 0, failed: 0, p50: null, p95: null };
  });
  const deliveries: WebhookStats["deliveries"] = { pending: 0, delivered: 0, failed: 0, cancelled: 0 };
  for (const row of states) deliveries[row.state] = row.count;
  return { by, buckets, deliveries };
}
