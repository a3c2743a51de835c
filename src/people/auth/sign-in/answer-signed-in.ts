import type { Context as HonoContext } from "hono";
import { sessionCookieHeader } from "../../../http/cookies.ts";
import { isSameOrigin } from "../../../http/origin.ts";
import { findProxyFault } from "../../../http/proxy-fault.ts";
import { type AppEnvironment, contextOf } from "../../../http/routes.ts";
import { type KnownDevice, rememberDevice } from "./known-device.ts";
import type { SignedIn } from "./signed-in.ts";

/** The answer to signing in, with its cookies. */
export async function sendSignedIn(c: HonoContext<AppEnvironment>, session: SignedIn, device: KnownDevice | undefined) {
  return c.json({ ...session.response, ...(await setCookies(c, session, device)) }, 200);
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
