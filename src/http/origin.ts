/**
 * Whether a request comes from our own origin. Browsers send `Sec-Fetch-Site` over https and to localhost, and with every
 * write `Origin`; pages of an attacker cannot change either. The first compares the addresses that the browser itself used,
 * so it holds whatever a proxy made of `Host`. A client that sends neither is not a browser.
 */
export function isSameOrigin(request: Request, publicOrigin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site === "same-origin") return true;
  if (site !== null && site !== "none") return false;
  const origin = request.headers.get("origin");
  if (origin === null) return true;
  return (
    origin === originOf(publicOrigin) ||
    origin === originOf(request.url) ||
    hostOf(origin) === request.headers.get("host")
  );
}

export function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

export function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined;
}
