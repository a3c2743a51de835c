import { sql, type SQL } from "drizzle-orm";
import type { Services } from "../context.ts";
import type { FileFailure } from "../documents/files/extraction/extractor.ts";
import type { HeldJob } from "./claim-job.ts";
import { isStorageUnavailable } from "./is-storage-unavailable.ts";
import { JobFailure } from "./job-failure.ts";
import { maxAttempts, maxDeaths } from "./limits.ts";

/** First and longest pause before another try, milliseconds. */
const pauseMs = { first: 1000, max: 60_000 };

export interface Reason {
  code: FileFailure;
  message: string;
}

/** What happens to a job whose handler threw. */
export type Verdict =
  | { end: Reason }
  /** @param pause milliseconds; the others are what the counters become, in SQL */
  | { pause: number; attempts: SQL; deaths: SQL };

/** Whether another try can help, and when. Says in the log what happened. */
export function judgeFailure(services: Services, job: HeldJob, error: unknown): Verdict {
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

/** The message of a job that did not finish in time. */
export function deadlineReason(failure?: Reason): Reason {
  const why = failure ? `: ${failure.message}` : "";
  return { code: failure?.code ?? "file_timeout", message: `It did not finish in time${why}` };
}
