import { AppError } from "../../src/errors.ts";
import { toBase64 } from "../../src/lib/base64.ts";
import { maxHashMs } from "../../src/people/auth/passwords/take-turn.ts";
import type { Scrypt } from "../../src/ports.ts";
import type { Env } from "../env.ts";

const retryAfterSeconds = 5;

/** The Worker that hashes passwords: salt and cost are in a header, the password is the body. */
export function createScrypt(env: Pick<Env, "PASSWORDS">): Scrypt {
  return async (password, salt, cost) => {
    try {
      const response = await env.PASSWORDS.fetch("http://passwords/scrypt", {
        method: "POST",
        headers: { "x-options": JSON.stringify({ salt: toBase64(salt), cost }) },
        body: password as never,
        signal: AbortSignal.timeout(maxHashMs),
      });
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
      throw new AppError(
        "passwords_unavailable",
        "Passwords cannot be checked at the moment: try again in a few seconds",
        {
          retryAfter: retryAfterSeconds,
          cause,
        },
      );
    }
  };
}
