import type { Context as HonoContext } from "hono";
import * as z from "zod";
import { answerUpstreamError as answerMessagesError } from "../chat/messages-api/answer-upstream-error.ts";
import { largeBody, readJsonText } from "../http/body.ts";
import { type AppEnvironment, contextOf, createRouter } from "../http/routes.ts";
import { answerUpstreamError } from "../upstream/errors/answer-upstream-error.ts";
import { UpstreamError } from "../upstream/errors/upstream-error.ts";
import { answerCall } from "./answer-call.ts";
import { dialectOf, renderProxyError } from "./render-error.ts";
import { proxyBases, runtimeCalls } from "./runtime-calls.ts";

const methods = ["get", "post", "put", "patch", "delete"] as const;

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

/** Invalid UTF-8 is passed on as it came. */
const lenientUtf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const toText = (bytes: Uint8Array) => lenientUtf8.decode(bytes);

async function answerProxied(c: HonoContext<AppEnvironment>): Promise<Response> {
  try {
    return await answerCall(contextOf(c), c.req.raw, () => readJsonText(c, toText));
  } catch (error) {
    if (error instanceof UpstreamError) return answerFailed(c, error);
    throw error;
  }
}

/** In the dialect of what was called. */
function answerFailed(c: HonoContext<AppEnvironment>, error: UpstreamError): Response {
  const requestId = c.get("requestId");
  const dialect = dialectOf(c.req.path);
  if (dialect === "messages") return answerMessagesError(error, requestId);
  if (dialect === "openai") return answerUpstreamError(error, requestId);
  const headers = new Headers(error.headers);
  if (error.retryAfter !== undefined) headers.set("retry-after", error.retryAfter);
  return Response.json(
    { error: error.message, code: error.code, request_id: requestId },
    { status: error.status, headers },
  );
}

/**
 * The local runtimes, below `/localmodel` and Open WebUI's `/ollama`: all of their calls, known or unknown. Bodies are
 * read here, because most are passed on unchanged.
 */
export function localModelRoutes() {
  const router = createRouter({ dialect: renderProxyError, readsBody: true, maxBody: largeBody, owns: proxyBases });
  for (const base of proxyBases) {
    for (const { method, path, summary } of runtimeCalls) {
      const name = method.toLowerCase() as "get" | "post" | "delete";
      const body = { content: { "application/json": { schema: z.looseObject({}) } }, required: true };
      const route = {
        method: name,
        ...(method === "POST" ? { rate: "models" as const } : {}),
        path: `${base}${path}`,
        siblings: proxyBases.map((each) => `${each}${path}`),
        summary,
        ...(method === "GET" ? {} : { request: { body } }),
        responses,
      };
      router.raw(route, answerProxied);
    }
    for (const method of methods) {
      const route = {
        method,
        path: `${base}/*`,
        siblings: proxyBases.map((each) => `${each}/*`),
        summary: "Any other call of a runtime (administrators), or of a certain runtime: `/1/api/chat`, `/api/chat/1`",
        responses,
      };
      router.raw(route, answerProxied);
    }
  }
  return router;
}
