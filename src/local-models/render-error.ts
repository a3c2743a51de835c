import { renderMessagesError } from "../http/render-messages-error.ts";
import { renderOpenAiError } from "../http/render-openai-error.ts";
import { nameDialect, type RenderError } from "../http/render-problem.ts";

/** In whose words a call to a runtime is answered. */
export function dialectOf(path: string): "messages" | "openai" | "runtime" {
  if (/^\/[^/]+\/([^/]+\/)?v1\/messages/.test(path)) return "messages";
  return /^\/[^/]+\/([^/]+\/)?v1\//.test(path) ? "openai" : "runtime";
}

/** The runtime's dialect: `{error: "<text>"}`; machines find the reason beside it. */
const renderRuntimeError: RenderError = (error, requestId) => ({
  contentType: "application/json",
  body: {
    error: error.message,
    code: error.code,
    ...(error.status >= 500 ? { request_id: requestId } : {}),
  },
});

const renderers = { messages: renderMessagesError, openai: renderOpenAiError, runtime: renderRuntimeError };

/** The dialect of what was called. */
export const renderProxyError: RenderError = nameDialect("local", (error, requestId, request) =>
  renderers[dialectOf(request.path)](error, requestId, request),
);
