import type { Context as HonoContext } from "hono";
import type { Services } from "../context.ts";
import type { Span } from "../lib/traces/span.ts";
import { readTraceparent } from "../lib/traces/trace-context.ts";
import type { AnswerEnd } from "./follow-body.ts";
import type { AppEnvironment, FoundRoute } from "./routes.ts";

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * The span of a request; undefined where traces are off. Paths and addresses as they were asked for are left out, although
 * OpenTelemetry would have them: they may hold secrets.
 */
export function startRequestSpan(
  { tracer }: Services,
  request: Request,
  { declared }: FoundRoute,
  requestId: string,
): Span | undefined {
  if (!tracer) return undefined;
  const isKnown = methods.has(request.method);
  const route = declared?.path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, "{$1}");
  const shownMethod = isKnown ? request.method : "HTTP";
  return tracer.start(
    {
      name: route === undefined ? shownMethod : `${shownMethod} ${route}`,
      kind: "server",
      attributes: {
        "http.request.method": isKnown ? request.method : "_OTHER",
        "http.route": route,
        "url.scheme": request.url.slice(0, request.url.indexOf(":")),
        "parley.request_id": requestId,
      },
    },
    readTraceparent(request.headers.get("traceparent")),
  );
}

/** @param end of the answer; it may come long after it began */
export function endRequestSpan(
  c: HonoContext<AppEnvironment>,
  span: Span,
  status: number,
  { isWhole }: Pick<AnswerEnd, "isWhole">,
): void {
  span.set({
    "http.response.status_code": status,
    ...(isWhole ? {} : { "parley.aborted": true }),
    ...c.env.tracer?.databaseAttributes,
  });
  span.end(status >= 500 ? String(status) : undefined);
}
