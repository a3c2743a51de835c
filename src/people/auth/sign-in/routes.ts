import { sessionCookieHeader } from "../../../http/cookies.ts";
import { answers, jsonBody } from "../../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../../http/routes.ts";
import { signOutAddress } from "../oidc/sign-out-address.ts";
import { signOut } from "../sessions/end-sessions.ts";
import { sendSignedIn } from "./answer-signed-in.ts";
import { callerOf } from "./caller.ts";
import { readClient } from "./read-client.ts";
import { credentials, newAccount, signedOut, signInResponse } from "./schema.ts";
import { signIn } from "./sign-in.ts";
import { signUp } from "./sign-up.ts";

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
    const client = await readClient(c);
    return sendSignedIn(c, await signUp(contextOf(c), c.req.valid("json"), client), client.device);
  });

  router.openapi(signInRoute, async (c) => {
    const client = await readClient(c);
    return sendSignedIn(c, await signIn(contextOf(c), c.req.valid("json"), client), client.device);
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
