import type { OpenAiError } from "../../upstream/errors/upstream-error.ts";

/** Codes that clients of the dialect decide by. */
const known = new Set(["rate_limit_exceeded", "context_length_exceeded", "insufficient_quota", "invalid_prompt"]);

/** Why a response failed, as it says it: what is the provider's or Parley's own stands beside it. */
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
