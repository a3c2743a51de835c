import type { Context as HonoContext } from "hono";
import * as z from "zod";
import { answerUpstreamError as answerMessagesError } from "../chat/messages-api/render-error.ts";
import { contextOf, createRouter, type AppEnvironment } from "../http/routes.ts";
import { answerUpstreamError } from "../upstream/errors/answer-upstream-error.ts";
import { UpstreamError } from "../upstream/errors/upstream-error.ts";
import { answerCall } from "./answer-call.ts";
import { proxyBases, runtimeCalls } from "./runtime-calls.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

const answer = (description: string) => ({
  description,
  content: {
    "application/json": { schema: z.looseObject({}) },
    "application/x-ndjson": { schema: z.string() },
    "text/event-stream": { schema: z.string() },
  },
});
const refusal = { content: { "application/json": { schema: z.looseObject({ error: z.unknown() }) } } };
const responses = {
  200: answer("The runtime's answer"),
  403: { description: "Only for administrators", ...refusal },
  404: { description: "Unknown model", ...refusal },
  502: { description: "No runtime responded", ...refusal },
};

async function answerProxied(c: HonoContext<AppEnvironment>): Promise<Response> {
  try {
    return await answerCall(contextOf(c), c.req.raw);
  } catch (error) {
    if (error instanceof UpstreamError) return answerFailed(c, error);
    throw error;
  }
}

/** In the dialect of what was called. */
function answerFailed(c: HonoContext<AppEnvironment>, error: UpstreamError): Response {
  const requestId = c.get("requestId");
  if (/\/v1\/messages/.test(c.req.path)) return answerMessagesError(error, requestId);
  if (/\/v1\//.test(c.req.path)) return answerUpstreamError(error, requestId);
  const headers = new Headers(error.headers);
  if (error.retryAfter !== undefined) headers.set("retry-after", error.retryAfter);
  return Response.json(
    { error: error.message, code: error.code, request_id: requestId },
    { status: error.status, headers },
  );
}

/**
 * The local runtimes, below `/localmodel` and the peer's `/ollama`: all of their calls, known here or not. Bodies are read here: most
 * go on as they came.
 */
export function localModelRoutes() {
  const router = createRouter();
  for (const base of proxyBases) {
    for (const { method, path, summary } of runtimeCalls) {
      const name = method.toLowerCase() as "get" | "post" | "delete";
      const body = { content: { "application/json": { schema: z.looseObject({}) } }, required: true };
      router.openAPIRegistry.registerPath({
        method: name,
        path: `${base}${path}`,
        summary,
        ...(method === "GET" ? {} : { request: { body } }),
        responses,
      });
      router.on(method, `${base}${path}`, answerProxied);
    }
    for (const method of methods) {
      router.openAPIRegistry.registerPath({
        method: method.toLowerCase() as "get" | "post" | "put" | "patch" | "delete",
        path: `${base}/*`,
        summary: "Any other call of a runtime (administrators), or of a certain runtime: `/1/api/chat`, `/api/chat/1`",
        responses,
      });
      router.on(method, `${base}/*`, answerProxied);
    }
  }
  return router;
}
