import type { Context as HonoContext } from "hono";
import { HTTPException } from "hono/http-exception";
import { matchedRoutes } from "hono/route";
import { channelMessageRoutes } from "./channels/messages/routes.ts";
import { channelReplyRoutes } from "./channels/replies/routes.ts";
import { channelRoutes } from "./channels/routes.ts";
import { channelWebhookRoutes } from "./channels/webhooks/routes.ts";
import { actionRoutes } from "./chat/actions/routes.ts";
import { renderOpenAiError } from "./chat/completions/render-error.ts";
import { completionRoutes } from "./chat/completions/routes.ts";
import { conversationRoutes } from "./chat/conversations/routes.ts";
import { chatEventRoutes } from "./chat/events/routes.ts";
import { tryRoutes } from "./chat/functions/try-routes.ts";
import { renderMessagesError } from "./chat/messages-api/render-error.ts";
import { messagesPaths, messagesRoutes } from "./chat/messages-api/routes.ts";
import { responsesPaths, responsesRoutes } from "./chat/responses-api/routes.ts";
import { sharingRoutes } from "./chat/sharing/routes.ts";
import { taskRoutes } from "./chat/task-routes.ts";
import { toolResultRoutes } from "./chat/tools/routes.ts";
import { transferRoutes } from "./chat/transfer/routes.ts";
import { isBusy } from "./db/database-error.ts";
import { addDocs } from "./docs/routes.ts";
import { fileRoutes } from "./documents/files/routes.ts";
import { modelKnowledgeRoutes } from "./documents/knowledge/models/routes.ts";
import { knowledgeRoutes } from "./documents/knowledge/routes.ts";
import { embeddingRoutes } from "./documents/retrieval/embedding/routes.ts";
import { retrievalRoutes } from "./documents/retrieval/routes.ts";
import { AppError } from "./errors.ts";
import { eventRoutes } from "./events/routes.ts";
import { healthRoutes } from "./health/routes.ts";
import { largeBody, smallBody, strictJson } from "./http/body.ts";
import { renderProblem, type RenderError } from "./http/render-problem.ts";
import { createRouter, type AppEnvironment } from "./http/routes.ts";
import { shownPath } from "./http/shown-path.ts";
import { newId } from "./lib/id.ts";
import { localModelAdminRoutes } from "./local-models/admin-routes.ts";
import { renderRuntimeError } from "./local-models/render-error.ts";
import { localModelRoutes } from "./local-models/routes.ts";
import { isProxied, proxyBases, runtimeCalls } from "./local-models/runtime-calls.ts";
import { isMessagesClient } from "./models/catalog/messages-list.ts";
import { catalogRoutes } from "./models/catalog/routes.ts";
import { connectionRoutes } from "./models/connections/routes.ts";
import { storedModelRoutes } from "./models/stored-models/routes.ts";
import { auditRoutes } from "./people/audit/routes.ts";
import { accountRoutes } from "./people/auth/account/routes.ts";
import { apiKeyAdminRoutes } from "./people/auth/api-keys/admin-routes.ts";
import { createEndpointList, type Route } from "./people/auth/api-keys/endpoint-list.ts";
import { apiKeyRoutes } from "./people/auth/api-keys/routes.ts";
import { oidcRoutes } from "./people/auth/oidc/routes.ts";
import { sessionRoutes } from "./people/auth/sessions/routes.ts";
import { signInGate, type MatchedRoute } from "./people/auth/sign-in-gate.ts";
import { signInRoutes } from "./people/auth/sign-in/routes.ts";
import { groupRoutes } from "./people/groups/routes.ts";
import { landingRoutes } from "./people/organizations/landing-routes.ts";
import { organizationRoutes } from "./people/organizations/routes.ts";
import { ownUserRoutes } from "./people/users/own-routes.ts";
import { userRoutes } from "./people/users/routes.ts";
import { functionRoutes } from "./plugins/function-routes.ts";
import { packageRoutes } from "./plugins/packages/routes.ts";
import { toolServerRoutes } from "./plugins/tool-servers/routes.ts";
import { toolRoutes } from "./plugins/tool-routes.ts";
import { promptRoutes } from "./prompts/routes.ts";
import { routedPath } from "./routed-path.ts";
import { isScimPath, scimBase } from "./scim/paths.ts";
import { renderScimError } from "./scim/render-error.ts";
import { scimRoutes } from "./scim/routes.ts";
import { scimGate } from "./scim/scim-gate.ts";
import { scimStatusRoutes } from "./scim/status/routes.ts";
import { settingsRoutes } from "./settings/routes.ts";
import { quotaRoutes } from "./usage/quotas/routes.ts";
import { usageRoutes } from "./usage/routes.ts";
import { ownSettings } from "./webhooks/own-settings.ts";
import { webhookRoutes } from "./webhooks/routes.ts";
import { targetRoutes } from "./webhooks/targets/routes.ts";

/** Open to everyone. Nothing else is; a test walks the routes and proves it. */
export const publicRoutes: ReadonlyMap<string, "bare" | "public"> = new Map([
  // Bare ones need neither caller nor settings: no look-up.
  ["GET /health", "bare"],
  ["GET /health/db", "bare"],
  ["GET /ready", "bare"],
  ["GET /api/version", "bare"],
  ["GET /docs", "bare"],
  ["GET /openapi.json", "bare"],
  ["GET /api/config", "public"],
  ["POST /api/v1/auths/signup", "public"],
  ["POST /api/v1/auths/signin", "public"],
  ["POST /api/v1/auths/signout", "public"],
  ["GET /oauth/:provider/login", "public"],
  ["GET /oauth/:provider/login/callback", "public"],
  ["GET /oauth/:provider/callback", "public"],
  ["POST /oauth/backchannel-logout", "public"],
  // Comes from another origin, and ends on a page of ours whoever asks: the verb looks at who it is.
  ["GET /oauth/tools/callback", "public"],
  // The token in the path is the credential: the verb looks at it.
  ["POST /api/v1/channels/webhooks/:id/:token", "public"],
]);

/** What people who wait for approval may call. */
export const pendingRoutes: ReadonlySet<string> = new Set([
  "GET /api/v1/auths/",
  "GET /api/v1/auths/sessions",
  "DELETE /api/v1/auths/sessions",
  "DELETE /api/v1/auths/sessions/:id",
  "GET /api/v1/auths/admin/details",
  "GET /api/v1/events",
]);

/** Paths of one and the same thing: where the list of endpoints for API keys names one, all of them are meant. */
export const siblingPaths: readonly (readonly string[])[] = [
  ["/api/models", "/api/v1/models"],
  ["/api/models/:id", "/api/v1/models/:id"],
  ["/api/chat/completions", "/api/v1/chat/completions"],
  ["/api/embeddings", "/api/v1/embeddings"],
  messagesPaths,
  messagesPaths.map((path) => `${path}/count_tokens`),
  responsesPaths,
  responsesPaths.map((path) => `${path}/:id`),
  responsesPaths.map((path) => `${path}/:id/input_items`),
  ...["/*", ...runtimeCalls.map(({ path }) => path)].map((path) => proxyBases.map((base) => `${base}${path}`)),
];

/** Which family of routes speaks which error dialect; the first that fits counts, the general one otherwise. */
const dialects: readonly (readonly [RegExp, RenderError])[] = [
  [/^\/api\/(v1\/)?messages?(\/|$)/, renderMessagesError],
  [/^\/api\/(v1\/)?(chat\/(completions|completed)|models\/?|embeddings)$/, renderOpenAiError],
  [/^\/api\/(v1\/)?responses(\/|$)/, renderOpenAiError],
  [/^\/api\/models\//, renderOpenAiError],
  [new RegExp(`^${scimBase}(/|$)`), renderScimError],
  [/^\/openai(\/|$)/, renderOpenAiError],
  [/^\/(localmodel|ollama)\/([^/]+\/)?v1\/messages/, renderMessagesError],
  [/^\/(localmodel|ollama)\/([^/]+\/)?v1\//, renderOpenAiError],
  [/^\/(localmodel|ollama)(\/|$)/, renderRuntimeError],
];

/** Routes that read and limit their bodies themselves. */
const ownBody =
  /^\/api\/((v1\/)?(chat\/completions|embeddings|responses|messages?(\/count_tokens)?)$|v1\/scim\/v2(\/|$)|v1\/files\/?$|v1\/files\/uploads\/[^/]+\/parts\/|v1\/chats\/import\/file$|v1\/channels\/webhooks\/[^/]+\/[^/]+$)/;
/** Routes whose JSON may hold whole conversations. */
const largeBodies =
  /^\/api\/(v1\/(chats|(models|functions|tools)\/(import|sync)$|files\/[^/]+\/data\/content\/update$|knowledge\/[^/]+\/sync\/)|chat\/(completed|actions\/))/;
/** Routes that clean half characters out of what people wrote, or keep it as the JSON that it is, instead of refusing it. */
const mendedTexts = /^\/api\/(v1\/(chats|users\/user|files\/[^/]+\/data)|chat)\//;

/**
 * The whole HTTP service; built once, given the request's services as its environment. Order: request id, errors in the
 * route's dialect, sign-in gate, strict body, validation, handler.
 */
export function createApp() {
  const app = createRouter({ getPath: routedPath });

  app.use(async (c, next) => {
    c.set("requestId", newId());
    await next();
    // A WebSocket handshake's headers cannot be changed.
    if (c.res.status === 101) return;
    // Not by c.header, which builds the finished response anew each time.
    c.res.headers.set("x-request-id", c.get("requestId"));
    c.res.headers.set("x-content-type-options", "nosniff");
  });
  const endpoints = createEndpointList(siblingPaths);
  app.use(signInGate(routeOf, endpoints));
  app.use(`${scimBase}/*`, scimGate());
  app.use(
    strictJson(
      (path) => (ownBody.test(path) || isProxied(path) ? undefined : largeBodies.test(path) ? largeBody : smallBody),
      (path) => mendedTexts.test(path),
    ),
  );

  app.route("/", healthRoutes());
  app.route("/", connectionRoutes());
  app.route("/", storedModelRoutes());
  app.route("/", modelKnowledgeRoutes());
  // After the stored models: its /api/v1/models/{id} would take their paths.
  app.route("/", catalogRoutes());
  app.route("/", localModelAdminRoutes());
  app.route("/", localModelRoutes());
  app.route("/", tryRoutes());
  app.route("/", functionRoutes());
  app.route("/", toolRoutes());
  app.route("/", packageRoutes());
  app.route("/", completionRoutes());
  app.route("/", messagesRoutes());
  app.route("/", responsesRoutes());
  app.route("/", actionRoutes());
  // Before the chats: their /api/v1/chats/{id} would take these paths.
  app.route("/", chatEventRoutes());
  app.route("/", sharingRoutes());
  app.route("/", transferRoutes());
  app.route("/", conversationRoutes());
  app.route("/", fileRoutes());
  app.route("/", embeddingRoutes());
  app.route("/", retrievalRoutes());
  app.route("/", knowledgeRoutes());
  app.route("/", promptRoutes());
  app.route("/", toolResultRoutes());
  app.route("/", taskRoutes());
  app.route("/", eventRoutes());
  app.route("/", signInRoutes());
  // Before the identity providers: their /oauth/{provider}/callback would take its path.
  app.route("/", toolServerRoutes());
  app.route("/", oidcRoutes());
  app.route("/", sessionRoutes());
  app.route("/", accountRoutes());
  app.route("/", apiKeyRoutes());
  app.route(
    "/",
    apiKeyAdminRoutes(endpoints, () => declaredRoutes(app.routes)),
  );
  app.route("/", settingsRoutes());
  app.route("/", auditRoutes());
  app.route("/", ownUserRoutes(ownSettings));
  app.route("/", userRoutes());
  app.route("/", groupRoutes());
  app.route("/", organizationRoutes());
  app.route("/", landingRoutes());
  // Before the channels: their /api/v1/channels/{id}/... would take the paths of posts.
  app.route("/", channelWebhookRoutes());
  app.route("/", channelMessageRoutes());
  app.route("/", channelReplyRoutes());
  // The last of those under its path: its /api/v1/channels/{id} would take theirs.
  app.route("/", channelRoutes());
  app.route("/", usageRoutes());
  app.route("/", quotaRoutes());
  app.route("/", webhookRoutes());
  app.route("/", targetRoutes());
  app.route("/", scimStatusRoutes());
  app.route("/", scimRoutes());

  addDocs(app);

  app.notFound((c) => answerError(c, new AppError("not_found", `Not found: ${c.req.method} ${shownPath(c.req.path)}`)));
  app.onError((error, c) => {
    const known = toAppError(error);
    if (known.code === "internal_error")
      c.env.log.error("request failed", {
        request_id: c.get("requestId"),
        method: c.req.method,
        path: shownPath(c.req.path),
        error,
      });
    return answerError(c, known);
  });
  return app;
}

/** Every route once, middleware left out. */
export function declaredRoutes(routes: readonly Route[]): Route[] {
  const named = routes
    .filter((route) => route.method !== "ALL")
    .map(({ method, path }): [string, Route] => [`${method} ${path}`, { method, path }]);
  return [...new Map(named).values()];
}

/**
 * Which route answers, and how open it is; undefined where none does: then it is 404 for everyone, without a look at who asks.
 * Not for people at all, and behind a gate of its own, is what belongs to the identity provider.
 */
function routeOf(c: HonoContext<AppEnvironment>): MatchedRoute | undefined {
  if (isScimPath(c.req.path)) return undefined;
  const route = matchedRoutes(c).find((candidate) => candidate.method !== "ALL");
  if (!route) return undefined;
  const name = `${route.method} ${route.path}`;
  const openness = publicRoutes.get(name) ?? (pendingRoutes.has(name) ? "session" : "approved");
  return { method: route.method, path: route.path, openness };
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
  return new AppError("internal_error", "Internal error. The cause is in the log under the request id", {
    cause: error,
  });
}

function dialectOf(path: string, headers: Headers): RenderError {
  // Clients of the Messages API look for models where all others do.
  if (/^\/api\/(v1\/)?models(\/|$)/.test(path) && isMessagesClient(headers)) return renderMessagesError;
  return dialects.find(([pattern]) => pattern.test(path))?.[1] ?? renderProblem;
}

function answerError(c: HonoContext<AppEnvironment>, error: AppError): Response {
  const { body, contentType, headers: own } = dialectOf(c.req.path, c.req.raw.headers)(error, c.get("requestId"));
  const headers = new Headers({ ...own, "content-type": contentType });
  if (error.retryAfter !== undefined) headers.set("retry-after", String(Math.max(1, Math.ceil(error.retryAfter))));
  if (error.status === 401) headers.set("www-authenticate", "Bearer");
  // SDKs of OpenAI and Anthropic would ask again within seconds, whatever `Retry-After` says, beyond a minute.
  if (error.code === "quota_exceeded" && (error.retryAfter ?? 0) > 60) headers.set("x-should-retry", "false");
  return new Response(JSON.stringify(body), { status: error.status, headers });
}
