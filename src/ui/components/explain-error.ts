import type { ApiError } from "../lib/api-error.ts";
import { texts } from "./texts.ts";

/** What a failure means for the person's work and what to do. The service's own sentence wins where it has one. */
export function explainError(error: ApiError): string {
  const { means } = texts;
  if (error.code === "offline") return means.offline;
  if (error.code === "timeout") return means.timeout;
  if (error.status === 429 && error.retryAfter !== undefined) return means.tooMany(error.retryAfter);
  if (error.status >= 500)
    return error.message && error.code !== `http_${error.status}` && error.code !== "internal_error"
      ? error.message
      : means.server;
  if (error.status === 0) return means.server;
  const issue = Object.values(error.issues)[0];
  if (issue) return issue;
  if (error.message) return error.message;
  if (error.status === 403) return means.forbidden;
  if (error.status === 404) return means.gone;
  if (error.status === 409) return means.conflict;
  if (error.status === 413) return means.tooLarge;
  return means.server;
}
