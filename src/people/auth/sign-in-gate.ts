import type { MiddlewareHandler } from "hono";
import { requireUser } from "../../access.ts";
import { createContext, type Environment, type Services } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { basePathOf } from "../../http/base-path.ts";
import { readCookie, sessionCookie } from "../../http/cookies.ts";
import { isSameOrigin } from "../../http/origin.ts";
import { readProbe } from "../../http/probe-header.ts";
import { findProxyFault } from "../../http/proxy-fault.ts";
import type { AppEnvironment, RoutePolicy } from "../../http/routes.ts";
import { createEndpointList } from "./api-keys/endpoint-list.ts";
import { keyHeadersFor } from "./api-keys/key-header.ts";
import { requireListed } from "./api-keys/require-listed.ts";
import { signInCount } from "./metrics.ts";
import { noteUse } from "./note-use.ts";
import { rateClassOf, takeRequest } from "./rate-limit.ts";
import { resolveActor, type PresentedCredential, type Resolved } from "./resolve-actor.ts";

/**
 * The credential of a request. Headers win, because a cookie may be a stale leftover. `Authorization` with another
 * scheme belongs to something else (such as a proxy with its own password) and is ignored.
 * @param keyHeaders names of the headers that may contain a key or token besides `Authorization`
 * @throws AppError `not_signed_in` for `Bearer` without exactly one token.
 */
export function presentedCredential(headers: Headers, keyHeaders: readonly string[]): PresentedCredential | undefined {
  const authorization = headers.get("authorization")?.trim();
  if (authorization && /^Bearer\b/i.test(authorization)) {
    const match = /^Bearer +(\S+)$/i.exec(authorization);
    if (!match) throw new AppError("not_signed_in", "The Authorization header is not of the form: Bearer <token>");
    return { token: match[1]!, transport: "bearer" };
  }
  const key = keyHeaders.map((name) => headers.get(name)?.trim()).find(Boolean);
  if (key) return { token: key, transport: "header" };
  const cookie = readCookie(headers.get("cookie"), sessionCookie);
  return cookie ? { token: cookie, transport: "cookie" } : undefined;
}

/**
 * Builds the verb context and lets the request in or not, before anything of its body is looked at: one statement.
 * On public routes a credential that is no longer valid, or may not be used there, is as good as none. Where no route
 * answers it is 404 for everyone, without a look at who asks.
 */
export function signInGate(): MiddlewareHandler<AppEnvironment> {
  const endpoints = createEndpointList();
  return async (c, next) => {
    const { declared: route, policy } = c.get("route");
    const { access } = policy;
    if (route === undefined || access === "bare") return next();
    const services = c.env;
    const request = c.req.raw;
    const keyHeaders = keyHeadersFor(services.environment, policy, request.headers);
    const presented =
      access === "public"
        ? presentedOrNothing(request.headers, keyHeaders)
        : presentedCredential(request.headers, keyHeaders);
    if (!presented && access !== "public") throw new AppError("not_signed_in", "Sign in first");
    const resolved = await resolve(services, presented, access, (found) =>
      requireListed(found, endpoints, route, request.url),
    );
    const origin = publicOrigin(request, resolved.settings.WEBUI_URL, services.environment);
    // A cookie comes with requests from any page; so what it does must come from our own pages.
    const isRead = request.method === "GET" || request.method === "HEAD";
    const upgrades = request.headers.get("upgrade") !== null;
    if (presented?.transport === "cookie" && (!isRead || upgrades) && !isSameOrigin(request, origin)) {
      const fault = findProxyFault(services, request, origin);
      throw new AppError("origin_not_allowed", fault ?? "This request comes from a page on another origin");
    }
    const probe = resolved.actor.kind === "user" ? readProbe(request.headers) : undefined;
    const ctx = createContext(services, resolved, { probe, requestId: c.get("requestId"), origin });
    takeRequest(ctx, rateClassOf(policy, request.method), request.headers);
    if (access === "approved") requireUser(ctx);
    if (resolved.actor.kind === "user") noteUse(ctx, resolved.actor, resolved.lastUsedAt ?? 0);
    policy.requires?.(ctx);
    c.set("ctx", ctx);
    await next();
  };
}

/** Where no credential is needed, a garbled one is as good as none. */
function presentedOrNothing(headers: Headers, keyHeaders: readonly string[]): PresentedCredential | undefined {
  try {
    return presentedCredential(headers, keyHeaders);
  } catch {
    return undefined;
  }
}

async function resolve(
  services: Services,
  presented: PresentedCredential | undefined,
  access: RoutePolicy["access"],
  check: (resolved: Resolved) => void,
): Promise<Resolved> {
  try {
    const resolved = await resolveActor(services, presented);
    check(resolved);
    return resolved;
  } catch (error) {
    if (presented?.token.startsWith("sk-") && error instanceof AppError)
      signInCount.add(services.environment, ["key", "failed"]);
    if (access === "public" && error instanceof AppError) return resolveActor(services, undefined);
    throw error;
  }
}

/** Scheme, host and base path at which people reach the service: as set, as what takes connections says, or as this request has it. */
export function publicOrigin(request: Request, configured: string, environment: Environment): string {
  const header = environment.PUBLIC_ORIGIN_HEADER;
  const told = configured || (header && request.headers.get(header));
  const from = told || /^[a-z]+:\/\/[^/?#]+/.exec(request.url)![0];
  const base = environment.BASE_PATH ?? "";
  if (from !== last.from || base !== last.base) {
    const origin = from.replace(/\/+$/, "");
    last = { from, base, origin: basePathOf(origin) === base ? origin : origin + base };
  }
  return last.origin;
}

/** What it found last: almost all requests come to one address. */
let last = { from: "", base: "", origin: "" };
