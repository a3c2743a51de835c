import type { Context as HonoContext } from "hono";
import * as z from "zod";
import { requireAdmin } from "../../../access.ts";
import { readJson } from "../../../http/body.ts";
import { answers, jsonBody } from "../../../http/json-route.ts";
import { renderOpenAiError } from "../../../http/render-openai-error.ts";
import { type AppEnvironment, contextOf, createRouter, defineRoute } from "../../../http/routes.ts";
import { validationError } from "../../../http/validation-error.ts";
import { answerUpstreamError } from "../../../upstream/errors/answer-upstream-error.ts";
import { UpstreamError } from "../../../upstream/errors/upstream-error.ts";
import { makeEmbeddings } from "./make-embeddings.ts";
import { rebuildIndex } from "./rebuild-index.ts";
import { embeddingList, embeddingRequest, retrievalStatus } from "./schema.ts";
import { getStatus } from "./status.ts";

/** Largest body, in bytes: the most texts of one call, of a page each. */
const maxBodyBytes = 8_000_000;

const openAiError = z.object({
  error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string().nullable() }),
});
const refusal = (description: string) => ({ description, content: { "application/json": { schema: openAiError } } });

const paths = ["/api/embeddings", "/api/v1/embeddings"] as const;
const embeddings = {
  method: "post",
  siblings: paths,
  summary: "Create embeddings",
  description: "OpenAI-compatible, for every embedding model that the caller can use, including local ones.",
  request: jsonBody(embeddingRequest),
  responses: {
    ...answers("One embedding for each text", embeddingList),
    400: refusal("The model is a function and does not support embeddings"),
    404: refusal("Unknown model"),
    422: refusal("Invalid input"),
    502: refusal("The provider failed"),
  },
} as const;

const answered = answers("The state of the index", retrievalStatus);
const status = defineRoute({
  method: "get",
  path: "/api/v1/retrieval/status",
  summary: "The state of the document index (administrators)",
  responses: answered,
});
const rebuild = defineRoute({
  method: "post",
  path: "/api/v1/retrieval/embedding/rebuild",
  summary: "Rebuild all vectors; search uses the old ones meanwhile (administrators)",
  responses: answered,
});

async function answerEmbeddings(c: HonoContext<AppEnvironment>): Promise<Response> {
  const parsed = embeddingRequest.safeParse(await readJson(c));
  if (!parsed.success) throw validationError(parsed.error);
  try {
    return await makeEmbeddings(contextOf(c), parsed.data, c.req.raw.signal);
  } catch (error) {
    if (error instanceof UpstreamError) return answerUpstreamError(error, c.get("requestId"));
    throw error;
  }
}

export function embeddingRoutes() {
  const router = createRouter({
    dialect: renderOpenAiError,
    rate: "models",
    readsBody: true,
    maxBody: maxBodyBytes,
    owns: paths,
  });
  for (const path of paths) router.raw({ ...embeddings, path }, answerEmbeddings);
  return router;
}

/** The index of documents, for administrators. */
export function indexRoutes() {
  const router = createRouter({ requires: requireAdmin });
  router.openapi(status, async (c) => c.json(await getStatus(contextOf(c)), 200));
  router.openapi(rebuild, async (c) => c.json(await rebuildIndex(contextOf(c)), 200));
  return router;
}
