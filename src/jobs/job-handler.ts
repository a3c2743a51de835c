import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Services } from "../context.ts";
import type { FileFailure } from "../documents/files/extraction/extractor.ts";
import type { JobKind } from "./tables.ts";

/** A job as its handler sees it. */
export interface Job {
  id: string;
  kind: JobKind;
  subject: string;
  userId: string | null;
  /** How often it has been begun, this time included. */
  attempts: number;
  /** How often it took the process along that worked on it. */
  deaths: number;
  /** Epoch milliseconds. */
  deadline: number;
}

export interface JobRun {
  /** Ends when the job is no longer this runner's (it was taken back, deleted or is too late) or the round is over. */
  signal: AbortSignal;
  /**
   * Statements that go along with the next sign of life, in one batch; each call takes the place of the one before that has
   * not been written.
   * @param isForward whether what was done so far is still there when the job is begun again: then earlier attempts are forgotten
   */
  progress(statements: readonly BatchItem<"sqlite">[], isForward: boolean): void;
  /** Holds while the job is this runner's: for the conditions of what it writes. */
  held: SQL;
}

export interface JobHandler {
  /**
   * Does the work; may be called again after any point at which it was killed. The job is done when this resolves.
   * @throws JobFailure
   */
  run(services: Services, job: Job, run: JobRun): Promise<void>;
  /**
   * What is written when the job has failed for good, in the batch that takes it away.
   * @param condition must hold for each of the statements: else somebody else has it now
   */
  failed?(
    services: Services,
    job: Job,
    reason: { code: FileFailure; message: string },
    condition: SQL,
  ): BatchItem<"sqlite">[];
  /** Called after `failed` was written: for those who look on. */
  told?(services: Services, job: Job): Promise<void>;
}
