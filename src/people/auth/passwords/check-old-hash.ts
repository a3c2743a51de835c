import { timingSafeEqual } from "node:crypto";
import { argon2i, argon2id } from "@noble/hashes/argon2.js";
import { compareSync } from "bcryptjs";
import { fromBase64 } from "../../../lib/base64.ts";
import { utf8Text } from "../../../lib/utf8.ts";
import type { CheckOldHash } from "../../../ports.ts";
import { isOldHash, parseArgon2 } from "./old-hash.ts";

/** In this very thread. */
export const checkOldHash: CheckOldHash = async (password, stored) => {
  if (!isOldHash(stored)) return false;
  const argon2 = parseArgon2(stored);
  // bcrypt looks at the first 72 bytes, as those who made the hash did.
  if (!argon2) return compareSync(utf8Text(password), stored);
  const hash = fromBase64(argon2.hash);
  const derive = argon2.type === "i" ? argon2i : argon2id;
  const derived = derive(password, fromBase64(argon2.salt), {
    m: argon2.memory,
    t: argon2.passes,
    p: argon2.lanes,
    version: argon2.version,
    dkLen: hash.length,
  });
  return timingSafeEqual(derived, hash);
};
