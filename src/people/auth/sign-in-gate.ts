import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { requireUser } from "../../access.ts";
import type { Context, Services } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { readCookie, sessionCookie } from "../../http/cookies.ts";
import { isSameOrigin } from "../../http/origin.ts";
import type { AppEnvironment } from "../../http/routes.ts";
import { type EndpointList, isSpelledAs, type Route } from "./api-keys/endpoint-list.ts";
import { keyHeadersFor } from "./api-keys/key-header.ts";
import { noteUse } from "./note-use.ts";
import { resolveActor, type PresentedCredential, type Resolved } from "./resolve-actor.ts";

/**
 * Who may call a route: anyone (`bare`: without even settings), anyone who says who they are or not (`public`), anyone with
 * a session (`session`: pending people too), or approved people.
 */
export type Openness = "bare" | "public" | "session" | "approved";

/** The route that answers a request. */
export interface MatchedRoute extends Route {
  openness: Openness;
}

/**
 * What a request presents. A header is an intention, a cookie may be a stale left-over: headers win. `Authorization` of
 * another scheme belongs to somebody else (a proxy with a password of its own) and is passed over.
 * @param keyHeaders names of the headers that may carry a key or token beside `Authorization`
 * @throws AppError `not_signed_in` for `Bearer` without exactly one token behind it.
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
 * On public routes a credential that is no longer valid, or may not be used there, is as good as none.
 * @param routeOf undefined where nothing answers
 */
export function signInGate(
  routeOf: (c: HonoContext<AppEnvironment>) => MatchedRoute | undefined,
  endpoints: EndpointList,
): MiddlewareHandler<AppEnvironment> {
  return async (c, next) => {
    const route = routeOf(c);
    if (route === undefined || route.openness === "bare") return next();
    const { openness } = route;
    const services = c.env;
    const request = c.req.raw;
    const keyHeaders = keyHeadersFor(services.environment, c.req.path, request.headers);
    const presented =
      openness === "public"
        ? presentedOrNothing(request.headers, keyHeaders)
        : presentedCredential(request.headers, keyHeaders);
    if (!presented && openness !== "public") throw new AppError("not_signed_in", "Sign in first");
    const resolved = await resolve(services, presented, openness, (found) =>
      requireListed(found, endpoints, route, request.url),
    );
    const origin = publicOrigin(request, resolved.settings.WEBUI_URL);
    // A cookie comes along whoever made the browser ask; so what it does must come from our own pages.
    const isRead = request.method === "GET" || request.method === "HEAD";
    const upgrades = request.headers.get("upgrade") !== null;
    if (presented?.transport === "cookie" && (!isRead || upgrades) && !isSameOrigin(request, origin)) {
      throw new AppError("origin_not_allowed", "This request comes from a page on another origin");
    }
    const ctx: Context = Object.assign(Object.create(services) as Services, {
      actor: resolved.actor,
      settings: resolved.settings,
      defaultPermissions: resolved.defaultPermissions,
      catalogStamp: resolved.catalogStamp,
      quotaStamp: resolved.quotaStamp,
      requestId: c.get("requestId"),
      origin,
    });
    if (openness === "approved") requireUser(ctx);
    if (resolved.actor.kind === "user") noteUse(ctx, resolved.actor, resolved.lastUsedAt ?? 0);
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
  openness: Openness,
  check: (resolved: Resolved) => void,
): Promise<Resolved> {
  try {
    const resolved = await resolveActor(services, presented);
    check(resolved);
    return resolved;
  } catch (error) {
    if (openness === "public" && error instanceof AppError) return resolveActor(services, undefined);
    throw error;
  }
}

/**
 * Where endpoint restrictions are on, a key is good for the listed routes only, over whichever header or cookie it came.
 * @throws AppError `endpoint_not_listed` (401).
 */
function requireListed({ actor, settings }: Resolved, endpoints: EndpointList, route: Route, url: string): void {
  if (actor.kind !== "user" || actor.credential.kind !== "api-key") return;
  if (!settings.ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS) return;
  // As it was sent: a URL object would take dots and backslashes apart.
  const path = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? "";
  if (endpoints.includes(settings.API_KEYS_ALLOWED_ENDPOINTS, route) && isSpelledAs(path, route.path)) return;
  throw new AppError(
    "endpoint_not_listed",
    "API keys cannot call this endpoint: it is not in the list of allowed endpoints",
  );
}

export function publicOrigin(request: Request, configured: string): string {
  return (configured || /^[a-z]+:\/\/[^/?#]+/.exec(request.url)![0]).replace(/\/+$/, "");
}
