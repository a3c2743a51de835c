import { sha256Hex } from "../../../lib/sha256.ts";

/** The stored hash of a key. Keys are 32 random bytes, so a plain hash is safe against guessing. */
export function hashApiKey(secret: string): Promise<string> {
  return sha256Hex(secret);
}
