import { nameDialect, type RenderError } from "./render-problem.ts";

/** OpenAI's dialect: `{error: {message, type, param, code}}`, the types by status as its SDKs know them. */
export const renderOpenAiError: RenderError = nameDialect("openai", (error, requestId) => ({
  contentType: "application/json",
  body: {
    error: {
      message: error.message,
      type: typeOfStatus(error.status),
      param: error.param ?? null,
      code: error.code,
      ...(error.status >= 500 ? { request_id: requestId } : {}),
    },
  },
}));

export function typeOfStatus(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 404) return "not_found_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}
