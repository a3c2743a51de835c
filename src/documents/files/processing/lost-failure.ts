import { JobFailure } from "../../../jobs/job-failure.ts";
import type { ExtractorLost } from "../extraction/extractor.ts";

/** What it means for a file that the extractor was lost while it was read. */
export function lostFailure(error: ExtractorLost): JobFailure {
  const { reason } = error;
  if (reason === "unreachable")
    return new JobFailure("internal_error", "The extractor cannot be reached", { cause: error });
  const [code, message] =
    reason === "time"
      ? (["file_timeout", "Reading it takes too long"] as const)
      : (["file_too_complex", "Reading it takes too much memory"] as const);
  return new JobFailure(code, message, { isDeath: true, cause: error });
}
