import { AppError, type ErrorCode } from "../../errors.ts";
import { UpstreamError } from "../../upstream/errors/upstream-error.ts";

/** What is said below the message that holds the answer, to everybody in the channel; what others say to one person is worded anew. */
const words: Partial<Record<ErrorCode, string>> = {
  session_ended: "Whoever asked is not signed in any more.",
  account_inactive: "The account of whoever asked is switched off.",
  account_pending: "The account of whoever asked waits for an administrator.",
  organization_inactive: "The organization of whoever asked is switched off.",
  key_not_allowed: "Whoever asked may not use API keys any more.",
  forbidden: "Whoever asked may no longer write here.",
  not_found: "Whoever asked may no longer write here.",
  model_not_found: "There is no such model for whoever asked.",
};

/** An answer that came to no good end, in words. */
export function explainFailure(error: unknown): { message: string; code: string } {
  if (error instanceof AppError) {
    const message = error.message.replace(/^Your limit\b/, "The asker's limit");
    return { message: words[error.code] ?? message, code: error.code };
  }
  if (error instanceof UpstreamError) return { message: error.message, code: error.code ?? "upstream_error" };
  return { message: "The answer failed here; the log knows why.", code: "internal_error" };
}
