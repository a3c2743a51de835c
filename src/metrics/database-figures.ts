import { sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { jobKinds } from "../jobs/tables.ts";
import { type Family, gauge } from "../lib/metrics/family.ts";
import { serviceTotals } from "../people/totals/tables.ts";

/** What is counted row by row is counted to this number and no further: a scrape must not cost more than a few milliseconds. */
const maxCounted = 50_000;
/** Connections with a name in the metrics. */
const maxConnections = 100;

export interface DatabaseFigures {
  jobs: { kind: string; all: number; running: number; dueAt: number | null }[];
  deliveries: number;
  sessions: number;
  stored: { bytes: number; files: number };
  connections: { id: string; name: string }[];
}

/** One batch. No statement counts further than `maxCounted`. */
export async function readDatabaseFigures(db: Database): Promise<DatabaseFigures> {
  const now = Date.now();
  const kinds = JSON.stringify(jobKinds);
  const [jobs, [pending], [sessions], [stored], connections] = await db.batch([
    db.all<DatabaseFigures["jobs"][number]>(sql`SELECT k.value AS kind,
        (SELECT count(*) FROM (SELECT 1 FROM jobs j WHERE j.kind = k.value LIMIT ${maxCounted})) AS "all",
        (SELECT count(*) FROM jobs j INDEXED BY jobs_leased WHERE j.lease_until > ${now} AND j.kind = k.value) AS running,
        (SELECT j.due_at FROM jobs j INDEXED BY jobs_due WHERE j.kind = k.value AND j.due_at <= ${now}
          AND (j.lease_until IS NULL OR j.lease_until <= ${now}) ORDER BY j.due_at LIMIT 1) AS dueAt
      FROM json_each(${kinds}) k`),
    db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (
      SELECT 1 FROM webhook_deliveries INDEXED BY webhook_deliveries_pending WHERE state = 'pending' LIMIT ${maxCounted})`),
    db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (SELECT 1 FROM sessions LIMIT ${maxCounted})`),
    db.all<{ bytes: number; files: number }>(
      sql`SELECT bytes, files FROM storage_totals WHERE scope = ${serviceTotals}`,
    ),
    db.all<{ id: string; name: string }>(
      sql`SELECT id, name FROM connections ORDER BY created_at LIMIT ${maxConnections}`,
    ),
  ]);
  return {
    jobs,
    deliveries: pending?.count ?? 0,
    sessions: sessions?.count ?? 0,
    stored: stored ?? { bytes: 0, files: 0 },
    connections,
  };
}

/** @param figures undefined while the database does not answer */
export function databaseFamilies(figures: DatabaseFigures | undefined, now: number): Family[] {
  const { jobs = [], connections = [] } = figures ?? {};
  const one = (value: number | undefined) => (value === undefined ? [] : [[[], value] as const]);
  return [
    gauge(
      { name: "parley_jobs", help: "Queued work by kind and state: waiting or running.", labels: ["kind", "state"] },
      jobs.flatMap(({ kind, all, running }) => [
        [[kind, "waiting"], Math.max(0, all - running)] as const,
        [[kind, "running"], running] as const,
      ]),
    ),
    gauge(
      {
        name: "parley_job_oldest_due_seconds",
        unit: "seconds",
        help: "Age of the oldest job of a kind that is ready to run, counted from when it was due; 0 without one.",
        labels: ["kind"],
      },
      jobs.map(({ kind, dueAt }) => [[kind], dueAt === null ? 0 : Math.max(0, now - dueAt) / 1000]),
    ),
    gauge(
      { name: "parley_webhook_deliveries_waiting", help: "Outbound webhooks that are not delivered yet." },
      one(figures?.deliveries),
    ),
    gauge({ name: "parley_sessions", help: "Signed-in sessions." }, one(figures?.sessions)),
    gauge(
      { name: "parley_stored_bytes", unit: "bytes", help: "Bytes of all files, as they were uploaded." },
      one(figures?.stored.bytes),
    ),
    gauge({ name: "parley_stored_files", help: "All files." }, one(figures?.stored.files)),
    {
      name: "parley_connection",
      type: "info",
      help: "Names of the connections that are stored in the database, by the ids that other metrics have.",
      samples: connections.map(({ id, name }) => ({
        suffix: "_info",
        labels: [
          ["connection", id],
          ["name", name],
        ],
        value: 1,
      })),
    },
  ];
}
