/**
 * Whether a request comes from our own origin. Browsers send `Sec-Fetch-Site` and, with every write, `Origin`; pages of
 * an attacker cannot change either. A client that sends neither is not a browser.
 */
export function isSameOrigin(request: Request, publicOrigin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  const origin = request.headers.get("origin");
  if (origin === null) return true;
  return (
    origin === publicOrigin || origin === new URL(request.url).origin || hostOf(origin) === request.headers.get("host")
  );
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
