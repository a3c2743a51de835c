import * as z from "zod";
import { time } from "../../schema.ts";
import { passkey, shownPasskey } from "../passkeys/schema.ts";

/** A code of the app, or a recovery code, as it was typed. */
const code = z.string().min(1).max(100);

export const ownFactor = z.object({
  /** Whether an authenticator app is set up. */
  is_on: z.boolean(),
  /** When it was set up. */
  since: time.nullable(),
  passkeys: z.array(passkey),
  /** Whether passkeys can be added, sign in and count as a second factor. */
  passkeys_on: z.boolean(),
  recovery_codes_left: z.number().int(),
  /** The service or the organization requires it, so that it cannot be switched off. */
  is_required: z.boolean(),
  /** False for people who sign in through an identity provider: it asks for a second factor, or does not. */
  has_password: z.boolean(),
});
export type OwnFactor = z.infer<typeof ownFactor>;

export const startedFactor = z.object({ password: z.string().max(10_000) });

/** The secret is in this answer only. */
export const factorSecret = z.object({
  /** Base32, to be typed where no picture can be read. */
  secret: z.string(),
  /** For the QR code: `otpauth://totp/...`. */
  address: z.string(),
});
export type FactorSecret = z.infer<typeof factorSecret>;

export const factorCode = z.object({ code });

/** The password is for those who have passkeys, and no app. */
export const factorProof = z.union([factorCode, startedFactor]);
export type FactorProof = z.infer<typeof factorProof>;

/** The codes are in this answer only. */
export const recoveryCodeList = z.object({ recovery_codes: z.array(z.string()) });
export type RecoveryCodeList = z.infer<typeof recoveryCodeList>;

const stepToken = z.string().min(1).max(200);

/** A code, or a passkey that signed the challenge of the first step's answer. */
export const secondStep = z.union([
  z.object({ token: stepToken, code }),
  z.object({ token: stepToken, passkey: shownPasskey }),
]);
export type SecondStep = z.infer<typeof secondStep>;
