import { errorFields } from "../../http/render-messages-error.ts";
import type { UpstreamError } from "../../upstream/errors/upstream-error.ts";

/** An upstream's failure with its status and `Retry-After`. */
export function answerUpstreamError(error: UpstreamError, requestId: string): Response {
  const headers = new Headers(error.headers);
  headers.set("content-type", "application/json");
  headers.set("request-id", requestId);
  if (error.retryAfter !== undefined) headers.set("retry-after", error.retryAfter);
  const body = { type: "error", error: errorFields(error.status, error.message, error.type), request_id: requestId };
  return new Response(JSON.stringify(body), { status: error.status, headers });
}
