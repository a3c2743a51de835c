import type { RenderError } from "../http/render-problem.ts";

/** The runtime's dialect: `{error: "<text>"}`; the code is beside it. */
export const renderRuntimeError: RenderError = (error, requestId) => ({
  contentType: "application/json",
  body: {
    error: error.message,
    code: error.code,
    ...(error.status >= 500 ? { request_id: requestId } : {}),
  },
});
