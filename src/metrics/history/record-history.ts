import { and, eq, lt, sql } from "drizzle-orm";
import type { Environment, Services } from "../../context.ts";
import { openSockets } from "../../events/open-sockets.ts";
import { requestCount } from "../../http/metrics.ts";
import { jobs } from "../../jobs/tables.ts";
import type { Family } from "../../lib/metrics/family.ts";
import { firstByteDuration, tokenCount } from "../../usage/metrics.ts";
import { figureHistory } from "./tables.ts";

/** How long rows of each span are kept, in seconds. */
const kept = [
  { span: 60, seconds: 86_400 },
  { span: 3600, seconds: 90 * 86_400 },
] as const;
/** Further ones are not counted. */
const maxJobs = 50_000;

const counted = ["requests", "errors", "firstBytes", "firstByteMs", "tokensIn", "tokensOut"] as const;
type Counts = Record<(typeof counted)[number], number>;

/** What was counted when it was last recorded, by the environment as the counters are. */
const recorded = new WeakMap<Environment, Counts>();

function sum({ samples }: Family, suffix: string, label?: [name: string, value: string]): number {
  const fits = samples.filter(
    (sample) =>
      sample.suffix === suffix &&
      (!label || sample.labels.some(([name, value]) => name === label[0] && value === label[1])),
  );
  return fits.reduce((total, { value }) => total + value, 0);
}

function countsOf(environment: Environment): Counts {
  const requests = requestCount.collect(environment);
  const firstByte = firstByteDuration.collect(environment);
  const tokens = tokenCount.collect(environment);
  return {
    requests: sum(requests, "_total"),
    errors: sum(requests, "_total", ["status", "5xx"]),
    firstBytes: sum(firstByte, "_count"),
    firstByteMs: Math.round(sum(firstByte, "_sum") * 1000),
    tokensIn: sum(tokens, "_total", ["direction", "in"]),
    tokensOut: sum(tokens, "_total", ["direction", "out"]),
  };
}

/** Adds what has happened since the last time to the rows of this minute and this hour, and deletes what is too old. For the minutely timer. */
export async function recordHistory(services: Pick<Services, "db" | "environment" | "machine" | "now">): Promise<void> {
  const { db, environment, machine, now } = services;
  if (!machine) return;
  const [{ disk }, [waiting]] = await Promise.all([
    machine.figures(),
    db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (SELECT 1 FROM ${jobs} LIMIT ${maxJobs})`),
  ]);
  const is = countsOf(environment);
  const was = recorded.get(environment);
  const added = Object.fromEntries(counted.map((name) => [name, is[name] - (was?.[name] ?? 0)])) as Counts;
  const values = {
    ...added,
    jobs: waiting?.count ?? 0,
    people: openSockets(environment).people,
    diskUsed: disk.sizeBytes - disk.freeBytes,
    diskSize: disk.sizeBytes,
  };
  const rows = kept.map(({ span }) =>
    db
      .insert(figureHistory)
      .values({ span, at: now() - (now() % span), ...values })
      .onConflictDoUpdate({
        target: [figureHistory.span, figureHistory.at],
        set: {
          ...Object.fromEntries(counted.map((name) => [name, sql`${figureHistory[name]} + ${added[name]}`])),
          jobs: sql`max(${figureHistory.jobs}, ${values.jobs})`,
          people: sql`max(${figureHistory.people}, ${values.people})`,
          diskUsed: values.diskUsed,
          diskSize: values.diskSize,
        },
      }),
  );
  const old = kept.map(({ span, seconds }) =>
    db.delete(figureHistory).where(and(eq(figureHistory.span, span), lt(figureHistory.at, now() - seconds))),
  );
  recorded.set(environment, is);
  await db.batch([rows[0]!, rows[1]!, ...old]);
}
