import { AppError } from "../../src/errors.ts";
import { toBase64 } from "../../src/lib/base64.ts";
import { maxHashMs, maxOldHashMs } from "../../src/people/auth/passwords/take-turn.ts";
import type { CheckOldHash, Scrypt } from "../../src/ports.ts";
import type { Env } from "../env.ts";

const retryAfterSeconds = 5;
const maxMs = { scrypt: maxHashMs, "old-hash": maxOldHashMs };

/** The Worker that hashes passwords: what to do is in a header, the password is the body. */
export function createPasswordChecks(env: Pick<Env, "PASSWORDS">): { scrypt: Scrypt; checkOldHash: CheckOldHash } {
  const ask = async (path: keyof typeof maxMs, password: Uint8Array, options: unknown): Promise<Uint8Array> => {
    try {
      const response = await env.PASSWORDS.fetch(`http://passwords/${path}`, {
        method: "POST",
        headers: { "x-options": JSON.stringify(options) },
        body: password as never,
        signal: AbortSignal.timeout(maxMs[path]),
      });
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
      throw new AppError(
        "passwords_unavailable",
        "Passwords cannot be checked at the moment: try again in a few seconds",
        { retryAfter: retryAfterSeconds, cause },
      );
    }
  };
  return {
    scrypt: (password, salt, cost) => ask("scrypt", password, { salt: toBase64(salt), cost }),
    checkOldHash: async (password, stored) => (await ask("old-hash", password, { stored }))[0] === 1,
  };
}
