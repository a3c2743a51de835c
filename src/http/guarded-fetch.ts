import ipaddr from "ipaddr.js";
import { AppError } from "../errors.ts";

const maxRedirects = 5;

/**
 * A `fetch` for addresses from people, plugins or upstreams: http(s) only, public addresses only unless listed, each
 * redirect checked again. Names that resolve to private addresses are blocked by the runtime's egress after DNS; this
 * check gives a clear error, and is the only one where private ranges are unreachable anyway.
 * @param allowed `host` or `host:port` entries that may be private
 * @throws AppError `address_not_allowed`
 */
export function createGuardedFetch(
  publicFetch: typeof fetch,
  trustedFetch: typeof fetch,
  allowed: readonly string[],
): typeof fetch {
  return async (input, init) => {
    let request = new Request(input as RequestInfo, init as RequestInit);
    for (let hop = 0; ; hop++) {
      const url = new URL(request.url);
      const isListed = isListedHost(url, allowed);
      if (!isListed) assertPublic(url);
      const follow = request.redirect;
      const response = await (isListed ? trustedFetch : publicFetch)(
        new Request(request.clone(), { redirect: "manual" }),
      );
      const location = response.headers.get("location");
      if (follow !== "follow" || !location || ![301, 302, 303, 307, 308].includes(response.status)) return response;
      if (hop === maxRedirects) throw new AppError("address_not_allowed", "Too many redirects");
      await response.body?.cancel();
      request = redirected(request, new URL(location, url), response.status);
    }
  };
}

/** The next request of a redirect (Fetch standard, HTTP-redirect fetch): secrets are not sent to another origin. */
function redirected(request: Request, target: URL, status: number): Request {
  const headers = new Headers(request.headers);
  if (target.origin !== new URL(request.url).origin)
    for (const name of ["authorization", "cookie", "x-api-key"]) headers.delete(name);
  const becomesGet = status === 303 || ((status === 301 || status === 302) && request.method === "POST");
  if (!becomesGet) return new Request(new Request(target, request), { headers });
  headers.delete("content-type");
  headers.delete("content-length");
  return new Request(target, { method: "GET", headers, redirect: "follow", signal: request.signal });
}

function effectivePort(url: URL): string {
  return url.port || (url.protocol === "https:" ? "443" : "80");
}

/** Whether the address is among those that may be private. @param allowed `host` or `host:port` entries */
export function isListedHost(url: URL, allowed: readonly string[]): boolean {
  const names = new Set([url.host, url.hostname, `${url.hostname}:${effectivePort(url)}`]);
  return allowed.some((entry) => names.has(entry.toLowerCase()));
}

/** @throws AppError `address_not_allowed` unless the URL is http(s) to a name or a public address. */
export function assertPublic(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new AppError("address_not_allowed", "Only http and https addresses can be called");
  if (!isPublicHost(url.hostname)) throw new AppError("address_not_allowed", `${url.hostname} is not a public address`);
}

/** `hostname` as in `URL`: unusual spellings are already normalized, IPv6 is in brackets. */
function isPublicHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  if (ipaddr.isValid(host)) return isPublicAddress(ipaddr.process(host));
  return host.includes(".") && !/(^|\.)(localhost|local|internal|home\.arpa|lan)$/.test(host);
}

/** What IPv6 has for the whole internet (RFC 4291): the rest is local, or has an IPv4 address in it. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

function isPublicAddress(address: ReturnType<typeof ipaddr.process>): boolean {
  if (address.range() !== "unicast") return false;
  if (address instanceof ipaddr.IPv4) return true;
  // ISATAP (RFC 5214) has an IPv4 address behind this, in any network.
  const isIsatap = (address.parts[4]! & 0xfdff) === 0 && address.parts[5] === 0x5efe;
  return address.match(globalUnicast) && !isIsatap;
}
