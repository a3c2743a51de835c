import { createRoute } from "@hono/zod-openapi";
import { sessionCookieHeader } from "../../../http/cookies.ts";
import { contextOf, createRouter } from "../../../http/routes.ts";
import { idParam } from "../../schema.ts";
import { keyHeaderOf } from "../api-keys/key-header.ts";
import { presentedCredential } from "../sign-in-gate.ts";
import { done, ownSession } from "../sign-in/schema.ts";
import { endOtherSessions, endSession } from "./end-sessions.ts";
import { getOwnSession, listSessions } from "./own-sessions.ts";
import { endedSessions, sessionList } from "./schema.ts";

const current = createRoute({
  method: "get",
  path: "/api/v1/auths/",
  summary: "The signed-in person; also for people who wait for approval. Refreshes the session cookie",
  responses: { 200: { description: "The session", content: { "application/json": { schema: ownSession } } } },
});

const list = createRoute({
  method: "get",
  path: "/api/v1/auths/sessions",
  summary: "The caller's sessions, last used first",
  responses: { 200: { description: "The sessions", content: { "application/json": { schema: sessionList } } } },
});

const endOne = createRoute({
  method: "delete",
  path: "/api/v1/auths/sessions/{id}",
  summary: "End one of the caller's sessions",
  request: { params: idParam },
  responses: { 200: { description: "The session has ended", content: { "application/json": { schema: done } } } },
});

const endOthers = createRoute({
  method: "delete",
  path: "/api/v1/auths/sessions",
  summary: "End all of the caller's sessions except the current one",
  responses: {
    200: { description: "The sessions have ended", content: { "application/json": { schema: endedSessions } } },
  },
});

export function sessionRoutes() {
  const router = createRouter();

  router.openapi(current, async (c) => {
    const ctx = contextOf(c);
    const { token } = presentedCredential(c.req.raw.headers, [keyHeaderOf(ctx.environment)])!;
    const session = await getOwnSession(ctx, token);
    // A key is no session, and a browser must not get one as its cookie.
    if (!token.startsWith("sk-"))
      c.header("set-cookie", sessionCookieHeader(token, session.expires_at, ctx.origin.startsWith("https:")));
    c.header("cache-control", "no-store");
    return c.json(session, 200);
  });

  router.openapi(list, async (c) => c.json(await listSessions(contextOf(c)), 200));

  router.openapi(endOne, async (c) => {
    const ctx = contextOf(c);
    const { current: own } = await endSession(ctx, c.req.valid("param").id);
    if (own) c.header("set-cookie", sessionCookieHeader("", null, ctx.origin.startsWith("https:")));
    return c.json({ status: true as const }, 200);
  });

  router.openapi(endOthers, async (c) =>
    c.json({ status: true as const, ...(await endOtherSessions(contextOf(c))) }, 200),
  );

  return router;
}
