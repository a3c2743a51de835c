import { nameDialect, type RenderError } from "./render-problem.ts";

/**
 * The Messages API's dialect (https://docs.anthropic.com/en/api/errors): `{type: "error", error: {type, message}, request_id}`; its SDKs
 * look for the id in the header `request-id` too.
 */
export const renderMessagesError: RenderError = nameDialect("messages", (error, requestId) => ({
  contentType: "application/json",
  body: { type: "error", error: errorFields(error.status, error.message), request_id: requestId },
  headers: { "request-id": requestId },
}));

const types: Record<number, string> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
  529: "overloaded_error",
};
/** What of a native provider's error is shown besides its status. */
const telling = new Set(["billing_error", "overloaded_error", "timeout_error"]);

/** @param said the upstream's own name for it */
export function errorFields(status: number, message: string, said?: string): { type: string; message: string } {
  const type = types[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
  return { type: said !== undefined && telling.has(said) ? said : type, message };
}
