import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { Context } from "../../src/context.ts";
import { newChallenge, type Purpose } from "../../src/people/auth/passkeys/challenge.ts";
import { checkMade, checkShown } from "../../src/people/auth/passkeys/check-response.ts";
import type { Env } from "../../workers/env.ts";
import { servicesOf } from "../../workers/services.ts";
import { makePasskey } from "../fixtures/software-authenticator.ts";

const origin = "https://chat.harbour.example";

test("passkeys are checked inside workerd: made, shown, and refused when the signature is another's", async () => {
  const services = servicesOf(env as unknown as Env, () => undefined);
  const ctx = Object.assign(services, { origin }) as unknown as Context;
  const adding: Purpose = { for: "add", userId: "ada", sessionId: "session" };
  const signingIn: Purpose = { for: "sign-in" };
  const end = ctx.now() + 60;
  const made = await makePasskey(
    {
      rp: { id: "chat.harbour.example", name: "Parley" },
      user: { id: "YWRh", name: "ada@harbour.example", displayName: "Ada" },
      challenge: await newChallenge(ctx, adding, end),
      pubKeyCredParams: [{ type: "public-key", alg: -7 }],
      timeout: 60_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
      attestation: "none",
    },
    origin,
  );
  const checked = await checkMade(ctx, adding, made.credential);
  expect(checked).toMatchObject({ credentialId: made.credential.id, counter: 0, isSynced: false });
  const shown = await made.sign({
    rpId: "chat.harbour.example",
    challenge: await newChallenge(ctx, signingIn, end),
    timeout: 60_000,
    allowCredentials: [],
    userVerification: "required",
  });
  const person = { userId: "ada", publicKey: checked!.publicKey, isOnlyFactor: true };
  expect(await checkShown(ctx, signingIn, shown, person)).toMatchObject({ counter: 1 });
  const forged = {
    ...shown,
    response: { ...shown.response, signature: shown.response.signature.replace(/.{8}$/, "AAAAAAAA") },
  };
  expect(await checkShown(ctx, signingIn, forged, person)).toBeUndefined();
});
