import { sessionCookieHeader } from "../../../http/cookies.ts";
import { answers } from "../../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../../http/routes.ts";
import { idParam } from "../../schema.ts";
import { keyHeaderOf } from "../api-keys/key-header.ts";
import { presentedCredential } from "../sign-in-gate.ts";
import { done, ownSession } from "../sign-in/schema.ts";
import { endOtherSessions, endSession } from "./end-sessions.ts";
import { getOwnSession, listSessions } from "./own-sessions.ts";
import { listSignIns } from "./own-sign-ins.ts";
import { endedSessions, sessionList, signInList } from "./schema.ts";

const current = defineRoute({
  method: "get",
  path: "/api/v1/auths/",
  summary: "The signed-in person; also for people who wait for approval. Refreshes the session cookie",
  responses: answers("The session", ownSession),
});

const list = defineRoute({
  method: "get",
  path: "/api/v1/auths/sessions",
  summary: "The caller's sessions, last used first",
  responses: answers("The sessions", sessionList),
});

const signIns = defineRoute({
  method: "get",
  path: "/api/v1/auths/sign-ins",
  summary: "The caller's latest sign-ins, right and wrong, and sign-outs, newest first",
  responses: answers("The sign-ins", signInList),
});

const endOne = defineRoute({
  method: "delete",
  path: "/api/v1/auths/sessions/{id}",
  summary: "End one of the caller's sessions",
  request: { params: idParam },
  responses: answers("The session has ended", done),
});

const endOthers = defineRoute({
  method: "delete",
  path: "/api/v1/auths/sessions",
  summary: "End all of the caller's sessions except the current one",
  responses: answers("The sessions have ended", endedSessions),
});

export function sessionRoutes() {
  const router = createRouter({ access: "session" });

  router.openapi(current, async (c) => {
    const ctx = contextOf(c);
    const { token } = presentedCredential(c.req.raw.headers, [keyHeaderOf(ctx.environment)])!;
    const session = await getOwnSession(ctx, token);
    // A key is no session, and a browser must not get one as its cookie.
    if (!token.startsWith("sk-")) c.header("set-cookie", sessionCookieHeader(token, session.expires_at, ctx.origin));
    c.header("cache-control", "no-store");
    return c.json(session, 200);
  });

  router.openapi(list, async (c) => c.json(await listSessions(contextOf(c)), 200));

  router.openapi(signIns, async (c) => c.json(await listSignIns(contextOf(c)), 200));

  router.openapi(endOne, async (c) => {
    const ctx = contextOf(c);
    const { current: own } = await endSession(ctx, c.req.valid("param").id);
    if (own) c.header("set-cookie", sessionCookieHeader("", null, ctx.origin));
    return c.json({ status: true as const }, 200);
  });

  router.openapi(endOthers, async (c) =>
    c.json({ status: true as const, ...(await endOtherSessions(contextOf(c))) }, 200),
  );

  return router;
}
