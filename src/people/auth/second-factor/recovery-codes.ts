import { sha256Hex } from "../../../lib/sha256.ts";

/** Without letters and digits that look alike. */
const letters = "abcdefghjkmnpqrstuvwxyz23456789";
/** The largest multiple of their number that fits into a byte. */
const largest = 256 - (256 % letters.length);
const length = 16;
const count = 10;

/** New codes to write down: `abcd-efgh-jkmn-pqrs`, of some 79 random bits each. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => {
    let text = "";
    while (text.length < length) {
      for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
        // Bytes beyond would make the first letters more frequent.
        if (byte < largest && text.length < length) text += letters[byte % letters.length];
      }
    }
    return text.replaceAll(/(.{4})(?=.)/g, "$1-");
  });
}

/** What is stored of a code: however it was typed, with or without hyphens, in capitals or not. */
export function hashRecoveryCode(code: string): Promise<string> {
  return sha256Hex(`recovery ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, "")}`);
}
