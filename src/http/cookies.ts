/** The cookie that carries the web UI's token. */
export const sessionCookie = "token";

/** One cookie's value out of a `Cookie` header. */
export function readCookie(header: string | null | undefined, name: string): string | undefined {
  for (const part of (header ?? "").split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * A `Set-Cookie` value: HttpOnly, SameSite=Lax, for the whole origin. An empty value deletes it.
 * @param expiresAt epoch seconds, or null for one that ends with the browser's session
 */
export function sessionCookieHeader(value: string, expiresAt: number | null, secure: boolean): string {
  const parts = [`${sessionCookie}=${value}`, "Path=/", "HttpOnly", "SameSite=Lax"];
  if (value === "") parts.push("Max-Age=0");
  else if (expiresAt !== null) parts.push(`Expires=${new Date(expiresAt * 1000).toUTCString()}`);
  if (secure) parts.push("Secure");
  return parts.join("; ");
}
