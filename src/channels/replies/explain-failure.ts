import { AppError, type ErrorCode } from "../../errors.ts";
import { UpstreamError } from "../../upstream/errors/upstream-error.ts";

/** What is said below the message that holds the answer, to everybody in the channel; what others say to one person is worded anew. */
const words: Partial<Record<ErrorCode, string>> = {
  session_ended: "The person who asked is no longer signed in.",
  account_inactive: "The account of the person who asked is switched off.",
  account_pending: "The account of the person who asked has not been activated.",
  organization_inactive: "The organization of the person who asked is switched off.",
  key_not_allowed: "The person who asked may no longer use API keys.",
  forbidden: "The person who asked may no longer write here.",
  not_found: "The person who asked may no longer write here.",
  model_not_found: "The model does not exist, or the person who asked has no access to it.",
};

/** An answer that came to no good end, in words. */
export function explainFailure(error: unknown): { message: string; code: string } {
  if (error instanceof AppError) {
    const message = error.message.replace(/^Your limit\b/, "The limit of the person who asked");
    return { message: words[error.code] ?? message, code: error.code };
  }
  if (error instanceof UpstreamError) return { message: error.message, code: error.code ?? "upstream_error" };
  return {
    message: "The answer failed because of an internal error. The cause is in the log.",
    code: "internal_error",
  };
}
