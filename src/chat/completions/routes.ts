import type { Context as HonoContext } from "hono";
import * as z from "zod";
import { largeBody, readJson } from "../../http/body.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { renderOpenAiError } from "../../http/render-openai-error.ts";
import { type AppEnvironment, contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { validationError } from "../../http/validation-error.ts";
import { answerUpstreamError } from "../../upstream/errors/answer-upstream-error.ts";
import { UpstreamError } from "../../upstream/errors/upstream-error.ts";
import { completeChat } from "../functions/complete-chat.ts";
import { complete } from "./complete.ts";
import { completedRequest, completionRequest, startedTurn } from "./schema.ts";

/** Beside the choices if the request had files or the model has knowledge; also in the first event of a stream. */
const lookedUp = {
  sources: z
    .array(
      z.looseObject({
        source: z.looseObject({ id: z.string().nullable(), name: z.string(), type: z.enum(["file", "text", "web"]) }),
        document: z.array(z.string()),
        metadata: z.array(z.looseObject({ number: z.int(), page: z.int().nullable(), chunk: z.int().nullable() })),
        distances: z.array(z.number()),
      }),
    )
    .optional(),
  warnings: z
    .array(z.looseObject({ type: z.string(), name: z.string(), code: z.string(), message: z.string() }))
    .optional(),
};

const openAiError = z.object({
  error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string().nullable() }),
});
const errors = {
  404: { description: "Unknown model or chat", content: { "application/json": { schema: openAiError } } },
  422: { description: "Invalid input", content: { "application/json": { schema: openAiError } } },
  502: { description: "The provider failed", content: { "application/json": { schema: openAiError } } },
};

const paths = ["/api/chat/completions", "/api/v1/chat/completions"] as const;

const completion = {
  method: "post",
  rate: "models",
  readsBody: true,
  maxBody: largeBody,
  siblings: paths,
  summary: "Chat completion",
  description:
    "OpenAI-compatible, with and without streaming. `files` lists files and knowledge bases to search for the answer. With `chat_id` the exchange is stored; with `session_id` and `id` it runs in the background and is reported over the live socket.",
  request: jsonBody(completionRequest),
  responses: {
    200: {
      description: "The answer, or its stream",
      content: {
        "application/json": {
          schema: z.union([z.looseObject({ choices: z.array(z.looseObject({})), ...lookedUp }), startedTurn]),
        },
        "text/event-stream": { schema: z.string() },
      },
    },
    ...errors,
  },
} as const;

const completed = defineRoute({
  method: "post",
  path: "/api/chat/completed",
  maxBody: largeBody,
  mendsTexts: true,
  summary: "Run the outlet filters on a finished chat",
  request: jsonBody(completedRequest),
  responses: {
    ...answers("The payload after the filters", completedRequest),
    ...errors,
  },
});

async function answerCompletion(c: HonoContext<AppEnvironment>): Promise<Response> {
  const since = Date.now();
  const parsed = completionRequest.safeParse(await readJson(c));
  if (!parsed.success) throw validationError(parsed.error);
  try {
    return await complete(contextOf(c), parsed.data, { signal: c.req.raw.signal, since });
  } catch (error) {
    if (error instanceof UpstreamError) return answerUpstreamError(error, c.get("requestId"));
    throw error;
  }
}

/** Bodies of completions are read here, with a limit of their own, because they are passed on to the model in full. */
export function completionRoutes() {
  const router = createRouter({
    dialect: renderOpenAiError,
    // `/openai` is what many an SDK is given as its base: routedPath leads from there to these paths.
    owns: [...paths, "/api/chat/completed", "/api/v1/chat/completed", "/openai"],
  });
  for (const path of paths) router.raw({ ...completion, path }, answerCompletion);
  router.openapi(completed, async (c) => {
    const filtered = await completeChat(contextOf(c), c.req.valid("json"), c.req.raw.signal);
    return c.json(filtered as z.output<typeof completedRequest>, 200);
  });
  return router;
}
