import { Webhook } from "standardwebhooks";
import { toBase64 } from "../lib/base64.ts";

/** How long the secret before the last rotation goes on signing, milliseconds. */
export const overlapMs = 24 * 3600_000;

/** A new signing secret (https://github.com/standard-webhooks/standard-webhooks, "Signature scheme"): 32 random bytes. */
export function newSecret(): string {
  return `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(32)))}`;
}

/**
 * The headers that prove who sends a delivery; a signature by each secret.
 * @param at epoch milliseconds, of this attempt
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: number; body: string },
): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(at), body));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}
