import { lte, sql } from "drizzle-orm";
import type { Services } from "../context.ts";
import { deadlineReason } from "./judge-failure.ts";
import { jobLimits } from "./limits.ts";
import { failJob } from "./run-jobs.ts";
import { jobs, type JobKind } from "./tables.ts";

/** So many that are too late are ended in one go. */
const maxJobs = 200;

/** Ends overdue jobs, and wakes runners for work whose message was lost or whose runner died. For the timer. */
export async function sweepJobs(services: Services): Promise<void> {
  const now = Date.now();
  const late = await services.db.select().from(jobs).where(lte(jobs.deadline, now)).limit(maxJobs);
  for (const job of late) {
    const condition = sql`EXISTS (SELECT 1 FROM jobs WHERE jobs.id = ${job.id} AND jobs.deadline <= ${now})`;
    await failJob(services, job, services.registry.jobHandlers[job.kind], deadlineReason(), condition);
  }
  // Of each kind as many as are woken at once: what waits beyond that is not counted.
  const counts = Object.entries(jobLimits).map(
    ([kind, { all }]) => sql`
      SELECT ${kind} AS kind, count(*) AS count FROM (
        SELECT 1 FROM jobs WHERE kind = ${kind} AND due_at <= ${now} AND (lease_until IS NULL OR lease_until <= ${now}) LIMIT ${all})`,
  );
  const due = await services.db.all<{ kind: JobKind; count: number }>(sql.join(counts, sql` UNION ALL `));
  // The timer comes once a minute: who dies before it comes again is found as soon as it shows.
  const running = await services.db.all<{ kind: JobKind; until: number }>(sql`
    SELECT kind, lease_until AS until FROM jobs WHERE lease_until > ${now}`);
  const looks = running.map(({ kind, until }) => services.jobs.wake(kind, (until - now) / 1000 + 1));
  const wakes = due.flatMap(({ kind, count }) => Array.from({ length: count }, () => services.jobs.wake(kind)));
  await Promise.all([...wakes, ...looks]);
}
