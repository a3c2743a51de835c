import { renderMessagesError } from "../../http/render-messages-error.ts";
import { renderOpenAiError } from "../../http/render-openai-error.ts";
import { nameDialect, renderProblem, type RenderError } from "../../http/render-problem.ts";
import { isMessagesClient } from "./messages-list.ts";

/** Clients of the Messages API look for models where all others do; what is below `/api/v1/models` is our own. */
export const renderModelsError: RenderError = nameDialect("models", (error, requestId, { path, headers }) => {
  if (isMessagesClient(headers)) return renderMessagesError(error, requestId, { path, headers });
  return (/^\/api\/v1\/models\/./.test(path) ? renderProblem : renderOpenAiError)(error, requestId, { path, headers });
});
