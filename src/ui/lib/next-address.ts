/**
 * Where to go after signing in, as `?next=` says. Only addresses of this app: anything else would be an open redirect.
 * @param origin of this app
 */
export function nextAddress(search: URLSearchParams, origin: string): string {
  const next = search.get("next") ?? "/";
  const url = URL.parse(next, origin);
  // `/.//host` becomes `//host`, which is an address elsewhere.
  const isOurs = next.startsWith("/") && url?.origin === origin && !url.pathname.startsWith("//");
  return isOurs ? url.pathname + url.search : "/";
}
