import { toBase64 } from "../../lib/base64.ts";

/** A new key's secret: 32 random bytes behind `sk-`, in letters that need no escaping anywhere (RFC 4648, section 5). */
export function newSecret(): string {
  const random = toBase64(crypto.getRandomValues(new Uint8Array(32)));
  return `sk-${random.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}
