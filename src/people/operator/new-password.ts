import type { Context } from "../../context.ts";
import type { PasswordCost } from "../../ports.ts";
import { hashPassword, requireAcceptablePassword } from "../auth/passwords/hash-password.ts";

/** Without letters and digits that look alike. */
const letters = "abcdefghjkmnpqrstuvwxyz23456789";
const length = 22;

/** Nobody guesses 108 random bits, however cheap a try is. The first sign-in stores it at the usual cost. */
const generatedCost: PasswordCost = { ln: 10, r: 8, p: 1 };

/** A password and its hash: the given one, or one that is made here. */
export async function newPassword(ctx: Context, given?: string): Promise<{ hash: string; made?: string }> {
  const place = { lane: "known", share: "operator" } as const;
  if (given !== undefined) {
    requireAcceptablePassword(given);
    return { hash: await hashPassword(ctx, given, place) };
  }
  const made = makePassword();
  const { ln, r } = ctx.passwordCost;
  const cost = ln < generatedCost.ln ? { ln, r, p: 1 } : generatedCost;
  return { made, hash: await hashPassword({ scrypt: ctx.scrypt, passwordCost: cost }, made, place) };
}

function makePassword(): string {
  const largest = 256 - (256 % letters.length);
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      // Bytes beyond would make the first letters more frequent.
      if (byte < largest && text.length < length) text += letters[byte % letters.length];
    }
  }
  return text.replaceAll(/(.{6})(?=.)/g, "$1-");
}
