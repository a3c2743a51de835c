/**
 * Whether an identity provider may have this address: tokens and secrets are sent there, so it needs https, or plain
 * http on loopback.
 */
export function isProviderAddress(url: URL): boolean {
  if (url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

/** `hostname` as in `URL`: unusual spellings are already normalized, IPv6 is in brackets (RFC 6761, section 6.3). */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
