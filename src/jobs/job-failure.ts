import type { FileFailure } from "../documents/files/extraction/extractor.ts";

export interface FailureOptions {
  /** Seconds until another try can help; the pause grows by itself where this is not given. */
  retryAfter?: number;
  /** Another try is of no use. */
  final?: boolean;
  /** What the job is about has ended the process that worked on it: that is tried a few times only. */
  isDeath?: boolean;
  cause?: unknown;
}

/**
 * What a handler throws to say how its work has failed. Without `final` it is tried again until the job's deadline; other errors
 * are tried again a few times only, and then are `internal_error`.
 */
export class JobFailure extends Error {
  readonly code: FileFailure;
  readonly retryAfter: number | undefined;
  readonly final: boolean;
  readonly isDeath: boolean;

  /** @param message for people; never a secret */
  constructor(
    code: FileFailure,
    message: string,
    { retryAfter, final = false, isDeath = false, cause }: FailureOptions = {},
  ) {
    super(message, { cause });
    this.name = "JobFailure";
    this.code = code;
    this.retryAfter = retryAfter;
    this.final = final;
    this.isDeath = isDeath;
  }
}
