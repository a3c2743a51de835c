/**
 * Where to go after signing in, as `?next=` says. Only addresses of this app: anything else would be an open redirect.
 * @param origin of this app
 */
export function nextAddress(search: URLSearchParams, origin: string): string {
  const next = search.get("next") ?? "/";
  const url = URL.parse(next, origin);
  return next.startsWith("/") && url?.origin === origin ? url.pathname + url.search : "/";
}
