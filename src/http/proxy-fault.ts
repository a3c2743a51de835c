import type { Environment, Services } from "../context.ts";
import { clientAddress } from "./client-address.ts";
import { hostOf, isSameOrigin } from "./origin.ts";

/** Causes that were logged already, by the service that logged them. */
const logged = new WeakMap<Environment, Set<string>>();
/** Callers choose some of the words. */
const maxLogged = 20;

/**
 * Which header a proxy in front of the service does not pass on, so that a request of our own page seems to come from
 * another origin. Logged once for each cause.
 * @returns undefined where the browser itself says that it was another site, or nothing is wrong
 */
export function findProxyFault(
  { environment, log }: Pick<Services, "environment" | "log">,
  request: Request,
  publicOrigin: string,
): string | undefined {
  const fault = faultOf(environment, request, publicOrigin);
  if (fault === undefined) return undefined;
  const known = logged.get(environment) ?? new Set();
  logged.set(environment, known);
  if (!known.has(fault.message) && known.size < maxLogged) {
    known.add(fault.message);
    log.warn(fault.message);
  }
  return fault.isFatal ? fault.message : undefined;
}

interface Fault {
  message: string;
  /** Whether people cannot sign in because of it. */
  isFatal: boolean;
}

function faultOf(environment: Environment, request: Request, publicOrigin: string): Fault | undefined {
  const { headers } = request;
  const origin = headers.get("origin") ?? "";
  const host = hostOf(origin);
  if (host === undefined) return undefined;
  const peer = clientAddress(environment, headers);
  const isTold = headers.has(environment.PUBLIC_ORIGIN_HEADER ?? "x-forwarded-host");
  const trust = `Set TRUSTED_PROXIES=${isLoopback(peer) ? "loopback" : (peer ?? "its address")} for Parley.`;
  if (isSameOrigin(request, publicOrigin)) {
    const isSecure = publicOrigin.startsWith("https:");
    if (origin.startsWith("https:") === isSecure || isLocal(host)) return undefined;
    if (isSecure) {
      const message = `This page was opened at ${origin}, but Parley's cookies are for https only, so the browser does not keep them. Open ${publicOrigin} instead.`;
      return { message, isFatal: true };
    }
    const message = headers.has("x-forwarded-proto")
      ? `The proxy at ${peer} says in X-Forwarded-Proto that people use https, but Parley does not trust it. ${trust}`
      : `The proxy in front of Parley does not say that people use https, so links and cookies are for http. Let it set X-Forwarded-Proto and set TRUSTED_PROXIES, or set WEBUI_URL=${origin} for Parley.`;
    return { message, isFatal: false };
  }
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "none") return undefined;
  const forwarded = headers.get("x-forwarded-host")?.split(",").at(-1)?.trim();
  const message =
    forwarded === host && !isTold
      ? `The proxy at ${peer} says in X-Forwarded-Host that people open ${origin}, but Parley does not trust it. ${trust}`
      : `The proxy in front of Parley does not pass the Host header on: people open ${origin}, and the proxy asks for ${headers.get("host") ?? hostOf(request.url)}. nginx needs the line "proxy_set_header Host $http_host;", Apache "ProxyPreserveHost On". Or set WEBUI_URL=${origin} for Parley.`;
  return { message, isFatal: true };
}

/** Browsers keep cookies for https there in any case. */
function isLocal(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/.test(host);
}

function isLoopback(address = ""): boolean {
  return address === "::1" || address.startsWith("127.");
}
