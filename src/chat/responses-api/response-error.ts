import type { OpenAiError } from "../../upstream/errors/upstream-error.ts";

/** Error codes that clients of the dialect handle. */
const known = new Set(["rate_limit_exceeded", "context_length_exceeded", "insufficient_quota", "invalid_prompt"]);

/** The error of a failed response; additional fields are the provider's or Parley's own. */
export function errorOf({ code, message, status, type, param }: OpenAiError): Record<string, unknown> {
  const said = typeof code === "string" && known.has(code) ? code : undefined;
  const usual = status === 429 ? "rate_limit_exceeded" : "server_error";
  return {
    code: said ?? usual,
    message,
    type,
    param,
    ...(code !== null && said === undefined ? { reason: code } : {}),
  };
}
