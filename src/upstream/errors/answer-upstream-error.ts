import type { UpstreamError } from "./upstream-error.ts";

/** An upstream's failure in the chat-completions dialect, with its status, code, param and `Retry-After`. */
export function answerUpstreamError(error: UpstreamError, requestId: string): Response {
  const headers = new Headers(error.headers);
  headers.set("content-type", "application/json");
  if (error.retryAfter !== undefined) headers.set("retry-after", error.retryAfter);
  const { error: said } = error.toOpenAiError();
  return new Response(JSON.stringify({ error: { ...said, request_id: requestId } }), { status: error.status, headers });
}
