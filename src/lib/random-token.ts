import { toBase64 } from "./base64.ts";

/** 32 random bytes in characters that need no escaping in addresses and headers (RFC 4648, section 5). */
export function randomToken(): string {
  const random = toBase64(crypto.getRandomValues(new Uint8Array(32)));
  return random.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
