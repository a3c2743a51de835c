/** An address that a link may lead to, for what plugins and tools name: `http(s)` or a path of this service. Undefined for all else. */
export function safeLink(address: string): string | undefined {
  if (/^https?:\/\//iu.test(address) && URL.canParse(address)) return address;
  return /^\/(?![/\\])/u.test(address) ? address : undefined;
}
