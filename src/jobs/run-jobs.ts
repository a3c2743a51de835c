import { sql, type SQL } from "drizzle-orm";
import type { Services } from "../context.ts";
import type { FileFailure } from "../documents/files/extraction/extractor.ts";
import { withinSpan } from "../lib/traces/within-span.ts";
import { claimJob, type HeldJob } from "./claim-job.ts";
import { heldBy, holdLease } from "./hold-lease.ts";
import { isStorageUnavailable } from "./is-storage-unavailable.ts";
import { JobFailure } from "./job-failure.ts";
import type { Job, JobHandler } from "./job-handler.ts";
import { maxAttempts, maxDeaths } from "./limits.ts";
import { nextTurn } from "./next-turn.ts";
import { retryWithPauses } from "./retry-with-pauses.ts";
import { jobs, type JobKind } from "./tables.ts";

/** A round takes no further job after so long, milliseconds: queues give their consumers 15 minutes. */
const maxRoundMs = 5 * 60_000;
/** First and longest pause before another try, milliseconds. */
const pauseMs = { first: 1000, max: 60_000 };

interface Reason {
  code: FileFailure;
  message: string;
}

/** Runs all due jobs of a kind, one after the other. For the consumer of its queue. */
export async function runJobs(services: Services, kind: JobKind): Promise<void> {
  const end = Date.now() + maxRoundMs;
  for (;;) {
    const job = await retryWithPauses(() => claimJob(services, kind));
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
  const traced = span ? withinSpan(services, span, {}) : services;
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
    const verdict = judge(traced, job, error);
    return retryWithPauses(() => settle(services, job, handler, verdict));
  }
  await retryWithPauses(async () => {
    await services.db.delete(jobs).where(sql`${jobs.id} = ${job.id} AND ${jobs.lease} = ${job.lease}`);
  });
}

/** What is to become of a job whose handler threw. */
type Verdict =
  | { end: Reason }
  /** @param pause milliseconds; the others are what the counters become, in SQL */
  | { pause: number; attempts: SQL; deaths: SQL };

function judge(services: Services, job: HeldJob, error: unknown): Verdict {
  const failure = error instanceof JobFailure ? error : undefined;
  const fields = { job: job.id, kind: job.kind, subject: job.subject, attempts: job.attempts };
  if (Date.now() >= job.deadline) return { end: deadlineReason(failure) };
  const isPassing = failure !== undefined || isStorageUnavailable(error);
  if (isPassing) services.log.info("a job is retried", { ...fields, error: (error as Error).message });
  else services.log.error("a job failed", { ...fields, error });
  if (failure?.final || (failure?.isDeath && job.deaths + 1 >= maxDeaths)) return { end: failure };
  if (!isPassing && job.attempts >= maxAttempts)
    return { end: { code: "internal_error", message: "Internal error. The cause is in the log" } };
  const grown = Math.min(pauseMs.first * 2 ** Math.min(job.attempts - 1, 10), pauseMs.max);
  return {
    pause: failure?.retryAfter === undefined ? grown : Math.max(failure.retryAfter * 1000, 250),
    // What waits for others does not use up its attempts; its deadline ends it.
    attempts: isPassing ? sql`min(attempts, ${maxAttempts - 1})` : sql`attempts`,
    deaths: failure?.isDeath ? sql`deaths + 1` : sql`deaths`,
  };
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

/** The message of a job that did not finish in time. */
export function deadlineReason(failure?: Reason): Reason {
  const why = failure ? `: ${failure.message}` : "";
  return { code: failure?.code ?? "file_timeout", message: `It did not finish in time${why}` };
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
