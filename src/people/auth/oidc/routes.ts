import type { Context as HonoContext } from "hono";
import { HTTPException } from "hono/http-exception";
import { requireAdmin } from "../../../access.ts";
import { AppError } from "../../../errors.ts";
import { inBase } from "../../../http/base-path.ts";
import { answers } from "../../../http/json-route.ts";
import { type AppEnvironment, contextOf, createRouter, defineRoute } from "../../../http/routes.ts";
import { callerOf } from "../sign-in/caller.ts";
import { backchannelLogout } from "./backchannel-logout.ts";
import { logoutError, logoutForm, providerParam, ssoStatus, startQuery } from "./schema.ts";
import { finishSignOn, type Onward, startSignOn } from "./sign-on.ts";
import { getSsoStatus } from "./sso-status.ts";

const onward = { 302: { description: "Redirect to the next page" } };

const start = defineRoute({
  method: "get",
  path: "/oauth/{provider}/login",
  access: "public",
  summary: "Sign in with an identity provider: redirects to its sign-in page",
  request: { params: providerParam, query: startQuery },
  responses: onward,
});

const callbacks = (["/oauth/{provider}/login/callback", "/oauth/{provider}/callback"] as const).map((path) =>
  defineRoute({
    method: "get",
    path,
    access: "public",
    summary: "Callback of the identity provider: sets the session cookie, or redirects to /sign-in?error=<code>",
    request: { params: providerParam },
    responses: onward,
  }),
);

const logout = defineRoute({
  method: "post",
  path: "/oauth/backchannel-logout",
  access: "public",
  summary: "Logout by an identity provider (OpenID Connect Back-Channel Logout 1.0)",
  request: { body: { required: true, content: { "application/x-www-form-urlencoded": { schema: logoutForm } } } },
  responses: {
    200: { description: "The sessions have ended" },
    400: {
      description: "The logout token is invalid",
      content: { "application/json": { schema: logoutError } },
    },
  },
});

const status = defineRoute({
  method: "get",
  path: "/api/v1/auths/admin/sso",
  requires: requireAdmin,
  summary: "The identity providers, what to register with them, and whether they respond (administrators)",
  responses: answers("The providers with their state", ssoStatus),
});

export function oidcRoutes() {
  const router = createRouter();

  router.openapi(start, async (c) => {
    const { provider } = c.req.valid("param");
    return go(c, await startSignOn(contextOf(c), provider, c.req.valid("query").next, asked(c)));
  });

  for (const callback of callbacks) {
    router.openapi(callback, async (c) => {
      const { provider } = c.req.valid("param");
      const answer = new URL(c.req.url).searchParams;
      return go(c, await finishSignOn(contextOf(c), provider, answer, asked(c)));
    });
  }

  router.include(logoutRoutes());
  router.openapi(status, async (c) => c.json(await getSsoStatus(contextOf(c)), 200));

  return router;
}

/** Errors are said in the words of the standard (section 2.8), whatever was wrong with the request. */
function logoutRoutes() {
  const router = createRouter();
  router.onError((error, c) => {
    const isTheirs =
      (error instanceof AppError && error.status < 500) || (error instanceof HTTPException && error.status < 500);
    if (!isTheirs) throw error;
    c.header("cache-control", "no-store");
    return c.json({ error: "invalid_request", error_description: error.message }, 400);
  });
  router.openapi(logout, async (c) => {
    await backchannelLogout(contextOf(c), c.req.valid("form").logout_token);
    c.header("cache-control", "no-store");
    return c.body(null, 200);
  });
  return router;
}

function asked(c: HonoContext<AppEnvironment>) {
  return { cookies: c.req.header("cookie"), ...callerOf(c.env, c.req.raw.headers) };
}

function go(c: HonoContext<AppEnvironment>, { location, setCookies }: Onward) {
  c.header("cache-control", "no-store");
  // The address of this very page may hold a code.
  c.header("referrer-policy", "no-referrer");
  for (const cookie of setCookies) c.header("set-cookie", cookie, { append: true });
  return c.redirect(inBase(contextOf(c), location), 302);
}
