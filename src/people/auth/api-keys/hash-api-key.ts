import { sha256Hex } from "../../../lib/sha256.ts";

/** What is stored of a key. Keys are 32 random bytes, so a plain hash cannot be searched through. */
export function hashApiKey(secret: string): Promise<string> {
  return sha256Hex(secret);
}
