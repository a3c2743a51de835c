import type { RenderError } from "../http/render-problem.ts";

/** The runtime's dialect: `{error: "<text>"}`; machines find the reason beside it. */
export const renderRuntimeError: RenderError = (error, requestId) => ({
  contentType: "application/json",
  body: {
    error: error.message,
    code: error.code,
    ...(error.status >= 500 ? { request_id: requestId } : {}),
  },
});
