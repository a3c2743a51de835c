import { parse } from "hono/utils/cookie";
import { basePathOf } from "./base-path.ts";

/** The cookie with the web UI's token. */
export const sessionCookie = "token";

/** The value of a cookie in a `Cookie` header. */
export function readCookie(header: string | null | undefined, name: string): string | undefined {
  return header ? parse(header, name)[name] : undefined;
}

export interface CookieOptions {
  /** Epoch seconds, or null for one that ends with the browser's session. */
  expiresAt: number | null;
  /** Where people reach the service: over https the cookie is sent over https only. */
  origin: string;
  /** Below that. */
  path?: string;
}

/**
 * A `Set-Cookie` value: HttpOnly and SameSite=Lax. An empty value deletes the cookie. Hono's `serialize` throws for cookies that
 * last longer than 400 days: with JWT_EXPIRES_IN=60w nobody could sign in.
 */
export function cookieHeader(name: string, value: string, { expiresAt, origin, path = "" }: CookieOptions): string {
  const parts = [`${name}=${value}`, `Path=${basePathOf(origin) + path || "/"}`, "HttpOnly", "SameSite=Lax"];
  if (value === "") parts.push("Max-Age=0");
  else if (expiresAt !== null) parts.push(`Expires=${new Date(expiresAt * 1000).toUTCString()}`);
  if (origin.startsWith("https:")) parts.push("Secure");
  return parts.join("; ");
}

/** The web UI's cookie. An empty value deletes it. */
export function sessionCookieHeader(value: string, expiresAt: number | null, origin: string): string {
  return cookieHeader(sessionCookie, value, { expiresAt, origin });
}
