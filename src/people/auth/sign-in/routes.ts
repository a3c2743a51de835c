import type { Context as HonoContext } from "hono";
import { sessionCookieHeader } from "../../../http/cookies.ts";
import { answers, jsonBody } from "../../../http/json-route.ts";
import { isSameOrigin } from "../../../http/origin.ts";
import { findProxyFault } from "../../../http/proxy-fault.ts";
import { type AppEnvironment, contextOf, createRouter, defineRoute } from "../../../http/routes.ts";
import { signOutAddress } from "../oidc/sign-out-address.ts";
import { signOut } from "../sessions/end-sessions.ts";
import { callerOf } from "./caller.ts";
import { readDevice, rememberDevice, type KnownDevice } from "./known-device.ts";
import type { SignInClient } from "./known-network.ts";
import { credentials, newAccount, signedOut, signInResponse } from "./schema.ts";
import { signIn } from "./sign-in.ts";
import { signUp } from "./sign-up.ts";
import type { SignedIn } from "./signed-in.ts";

const signUpRoute = defineRoute({
  method: "post",
  path: "/api/v1/auths/signup",
  summary: "Create an account and sign in. The very first account becomes administrator",
  request: jsonBody(newAccount),
  responses: answers("The session; its token is also set as a cookie", signInResponse),
});

const signInRoute = defineRoute({
  method: "post",
  path: "/api/v1/auths/signin",
  summary: "Sign in with e-mail and password",
  request: jsonBody(credentials),
  responses: answers("The session; its token is also set as a cookie", signInResponse),
});

const signOutRoute = defineRoute({
  method: "post",
  path: "/api/v1/auths/signout",
  summary: "Sign out: ends the session of the token or cookie, if there is one",
  responses: answers("Signed out", signedOut),
});

export function signInRoutes() {
  const router = createRouter({ access: "public" });

  router.openapi(signUpRoute, async (c) => {
    const ctx = contextOf(c);
    const client = await readClient(c);
    const session = await signUp(ctx, c.req.valid("json"), client);
    const problem = await setCookies(c, session, client.device);
    return c.json({ ...session.response, ...problem }, 200);
  });

  router.openapi(signInRoute, async (c) => {
    const ctx = contextOf(c);
    const client = await readClient(c);
    const session = await signIn(ctx, c.req.valid("json"), client);
    const problem = await setCookies(c, session, client.device);
    return c.json({ ...session.response, ...problem }, 200);
  });

  router.openapi(signOutRoute, async (c) => {
    const ctx = contextOf(c);
    const { headers } = c.req.raw;
    const address = await signOutAddress(ctx, await signOut(ctx, headers, callerOf(ctx, headers)));
    c.header("set-cookie", sessionCookieHeader("", null, ctx.origin));
    return c.json({ status: true as const, ...(address === undefined ? {} : { redirect_url: address }) }, 200);
  });

  return router;
}

async function readClient(c: HonoContext<AppEnvironment>): Promise<SignInClient> {
  const ctx = contextOf(c);
  const { headers } = c.req.raw;
  return {
    ...callerOf(ctx, headers),
    device: await readDevice(ctx, headers),
  };
}

/** A page of another origin could otherwise sign a visitor in to an account of its own (login CSRF): it gets no cookie. */
async function setCookies(
  c: HonoContext<AppEnvironment>,
  { response, expiresAt }: SignedIn,
  device: KnownDevice | undefined,
): Promise<{ cookie_problem?: string }> {
  const ctx = contextOf(c);
  c.header("cache-control", "no-store");
  const problem = findProxyFault(ctx, c.req.raw, ctx.origin);
  const told = problem === undefined ? {} : { cookie_problem: problem };
  if (!isSameOrigin(c.req.raw, ctx.origin)) return told;
  c.header("set-cookie", sessionCookieHeader(response.token, expiresAt, ctx.origin), {
    append: true,
  });
  c.header("set-cookie", await rememberDevice(ctx, response.email, device), { append: true });
  return told;
}
