import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import { HTTPException } from "hono/http-exception";
import { servicesWithin } from "./context.ts";
import { isBusy, isDiskFull, isLegalHold, isStopped, isTooLargeForValue } from "./db/database-error.ts";
import { maxValueBytes } from "./db/value-size.ts";
import { docsRoutes } from "./docs/routes.ts";
import { AppError } from "./errors.ts";
import { noteAccess } from "./http/access-log.ts";
import { settleBody, strictJson } from "./http/body.ts";
import { compressAnswers } from "./http/compress-answers.ts";
import { followBody } from "./http/follow-body.ts";
import { noteRequest } from "./http/metrics.ts";
import { RememberingRouter } from "./http/remembering-router.ts";
import { createRouteFinder, declaredRoutes, joinRouters } from "./http/route-table.ts";
import type { AppEnvironment, Router } from "./http/routes.ts";
import { shownPath } from "./http/shown-path.ts";
import { endRequestSpan, startRequestSpan } from "./http/trace-request.ts";
import { newId } from "./lib/id.ts";
import { signInGate } from "./people/auth/sign-in-gate.ts";
import { legalHoldError } from "./people/holds/legal-hold-error.ts";
import { routedPath } from "./routed-path.ts";

/**
 * The whole HTTP service; built once, given the request's services as its environment. Order: request id, the route and its
 * policy, errors in its dialect, the gate with the right that the route requires, strict body, validation, handler.
 */
export function createApp(slices: readonly Router[]) {
  const app = new OpenAPIHono<AppEnvironment>({ getPath: routedPath, router: new RememberingRouter() });
  const routers = [...slices, docsRoutes(app)];
  const declared = declaredRoutes(routers);
  const findRoute = createRouteFinder(routers);
  const signIn = signInGate();

  app.use(async (c, next) => {
    const begun = performance.now();
    const requestId = newId();
    c.set("requestId", requestId);
    compressAnswers(c);
    c.set("routes", declared);
    c.set("route", findRoute(c));
    const span = startRequestSpan(c.env, c.req.raw, c.get("route"), requestId);
    c.env = servicesWithin(c.env, { request_id: requestId }, span);
    await next();
    settleBody(c);
    const { method } = c.req;
    noteRequest(c.env.environment, c.get("route"), {
      method,
      status: c.res.status,
      durationMs: performance.now() - begun,
    });
    noteAccess(c, begun);
    const { status } = c.res;
    if (span) followBody(c, (end) => endRequestSpan(c, span, status, end));
    // A WebSocket handshake's headers cannot be changed.
    if (status === 101) return;
    // Not by c.header, which builds the finished response again each time.
    c.res.headers.set("x-request-id", c.get("requestId"));
    c.res.headers.set("x-content-type-options", "nosniff");
  });
  app.use((c, next) => (c.get("route").policy.gate ?? signIn)(c, next));
  app.use(strictJson());
  app.route("/", joinRouters(routers));

  app.notFound((c) => answerError(c, new AppError("not_found", `Not found: ${c.req.method} ${shownPath(c.req.path)}`)));
  app.onError((error, c) => {
    const known = toAppError(error);
    if (known.code === "internal_error")
      c.env.log.error("request failed", {
        method: c.req.method,
        path: shownPath(c.req.path),
        error,
      });
    return answerError(c, known);
  });
  return app;
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  // Hono's own validators throw these for bodies that they cannot read.
  if (error instanceof HTTPException && error.status < 500)
    return new AppError(error.status === 413 ? "payload_too_large" : "bad_request", error.message);
  if (isBusy(error))
    return new AppError("not_ready", "The database is busy: try again", {
      retryAfter: 2,
      cause: error,
    });
  if (isLegalHold(error)) return legalHoldError(error);
  if (isTooLargeForValue(error))
    return new AppError(
      "payload_too_large",
      `A part of this request is larger than ${maxValueBytes / 1_000_000} MB: it cannot be stored`,
      {
        cause: error,
      },
    );
  if (isDiskFull(error))
    return new AppError("disk_full", "The disk of the service is full: nothing can be stored", { cause: error });
  if (isStopped(error))
    return new AppError("write_timeout", "The database took too long for this change and stopped it", { cause: error });
  return new AppError("internal_error", "Internal error. The cause is in the log under the request id", {
    cause: error,
  });
}

function answerError(c: HonoContext<AppEnvironment>, error: AppError): Response {
  const request = { path: c.req.path, headers: c.req.raw.headers };
  const { body, contentType, headers: own } = c.get("route").policy.dialect(error, c.get("requestId"), request);
  const headers = new Headers({ ...own, "content-type": contentType });
  if (error.retryAfter !== undefined) headers.set("retry-after", String(Math.max(1, Math.ceil(error.retryAfter))));
  if (error.status === 401) headers.set("www-authenticate", "Bearer");
  // SDKs of OpenAI and Anthropic would ask again within seconds, whatever `Retry-After` says, beyond a minute.
  if (error.code === "quota_exceeded" && (error.retryAfter ?? 0) > 60) headers.set("x-should-retry", "false");
  return new Response(JSON.stringify(body), { status: error.status, headers });
}
