import { sql, type SQL } from "drizzle-orm";
import { type Services, servicesWithin } from "../context.ts";
import { claimJob, type HeldJob } from "./claim-job.ts";
import { heldBy, holdLease } from "./hold-lease.ts";
import { JobFailure } from "./job-failure.ts";
import type { Job, JobHandler } from "./job-handler.ts";
import { judgeFailure, type Reason, type Verdict } from "./judge-failure.ts";
import { maxAttempts } from "./limits.ts";
import { nextTurn } from "./next-turn.ts";
import { retryWrite } from "./retry-write.ts";
import { jobs, type JobKind } from "./tables.ts";

/** A round takes no further job after so long, milliseconds: queues give their consumers 15 minutes. */
const maxRoundMs = 5 * 60_000;

/** Runs all due jobs of a kind, one after the other. For the consumer of its queue. */
export async function runJobs(services: Services, kind: JobKind): Promise<void> {
  const end = Date.now() + maxRoundMs;
  for (;;) {
    const job = await retryWrite(() => claimJob(services, kind));
    if (!job) return;
    await runJob(services, job);
    if (Date.now() > end) return services.jobs.wake(kind);
  }
}

async function runJob(services: Services, job: HeldJob): Promise<void> {
  const handler = services.registry.jobHandlers[job.kind];
  if (job.attempts > maxAttempts) {
    const reason: Reason = { code: "internal_error", message: "It was started several times and never finished" };
    return failJob(services, job, handler, reason, heldBy(job));
  }
  const begun = Date.now();
  const span = services.tracer?.start({
    name: `job ${job.kind}`,
    kind: "consumer",
    attributes: { "parley.job.kind": job.kind, "parley.job.id": job.id, "parley.job.attempt": job.attempts },
  });
  const traced = span ? servicesWithin(services, {}, span) : services;
  const holding = holdLease(services, job);
  const { signal, progress } = holding;
  try {
    await handler.run(traced, job, { signal, progress, held: heldBy(job) });
    await holding.release();
    span?.end();
    traced.log.debug("a job ended", { job: job.id, kind: job.kind, ms: Date.now() - begun });
  } catch (error) {
    await holding.release();
    span?.end(error instanceof JobFailure ? error.code : "internal_error");
    const verdict = judgeFailure(traced, job, error);
    return retryWrite(() => settle(services, job, handler, verdict));
  }
  await retryWrite(async () => {
    await services.db.delete(jobs).where(sql`${jobs.id} = ${job.id} AND ${jobs.lease} = ${job.lease}`);
  });
}

/** Where the lease is lost, nothing: the job is the responsibility of its new runner. */
async function settle(services: Services, job: HeldJob, handler: JobHandler, verdict: Verdict): Promise<void> {
  if ("end" in verdict) return failJob(services, job, handler, verdict.end, heldBy(job));
  const { pause, attempts, deaths } = verdict;
  const dueAt = Math.min(Date.now() + Math.ceil(pause), job.deadline);
  // It has had its turn: others come before it is tried again.
  const turn = nextTurn(job.kind, job.userId);
  const freed = await services.db.run(sql`
    UPDATE jobs SET lease = NULL, lease_until = NULL, attempts = ${attempts}, deaths = ${deaths}, due_at = ${dueAt}, turn = ${turn}
    WHERE id = ${job.id} AND lease = ${job.lease}`);
  if (freed.rowsAffected > 0) await services.jobs.wake(job.kind, pause / 1000);
}

/**
 * Ends a job permanently, with its handler's final statements.
 * @param condition decides inside the batch whether it still has to be ended
 */
export async function failJob(
  services: Services,
  job: Job,
  handler: JobHandler,
  reason: Reason,
  condition: SQL,
): Promise<void> {
  const { code, message } = reason;
  const statements = handler.failed?.(services, job, { code, message }, condition) ?? [];
  const [first, ...rest] = [
    ...statements,
    services.db.run(sql`DELETE FROM jobs WHERE jobs.id = ${job.id} AND ${condition}`),
  ] as const;
  await services.db.batch([first!, ...rest]);
  await handler.told?.(services, job);
}
