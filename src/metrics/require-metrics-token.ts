import { timingSafeEqual } from "node:crypto";
import { AppError } from "../errors.ts";

/**
 * Hashes are compared, in constant time: how long it takes tells nothing about the token.
 * @throws AppError `not_signed_in`
 */
export async function requireMetricsToken(token: string, headers: Headers): Promise<void> {
  const presented = /^Bearer +(\S+)$/i.exec(headers.get("authorization")?.trim() ?? "")?.[1];
  if (presented === undefined) throw new AppError("not_signed_in", "Send METRICS_TOKEN as a Bearer token");
  const [given, expected] = await Promise.all([hash(presented), hash(token)]);
  if (!timingSafeEqual(given, expected)) throw new AppError("not_signed_in", "The Bearer token is not METRICS_TOKEN");
}

async function hash(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
