/**
 * Whether an identity provider may be at this address: tokens and secrets go there, so over https; plain http only where it
 * cannot leave the machine.
 */
export function isProviderAddress(url: URL): boolean {
  if (url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

/** `hostname` as in `URL`: odd spellings of addresses are already plain there, IPv6 is in brackets (RFC 6761, section 6.3). */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
