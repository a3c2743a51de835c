import * as z from "zod";
import { time } from "../../schema.ts";

/** A binary value as browsers' `toJSON` writes it. @param max characters */
const binary = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]*$/, "base64url");
const maxId = 1400;
const credential = { id: binary(maxId).min(1), rawId: binary(maxId).min(1), type: z.literal("public-key") };

export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** Whether the person's other devices have it too. */
  is_synced: z.boolean(),
  created_at: time,
  /** Null until the first sign-in with it. */
  last_used_at: time.nullable(),
});
export type Passkey = z.infer<typeof passkey>;

const descriptor = z.object({ type: z.literal("public-key"), id: z.string(), transports: z.array(z.string()) });
export type Descriptor = z.infer<typeof descriptor>;

/** For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.number() })),
  /** Milliseconds. */
  timeout: z.number(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({ residentKey: z.literal("preferred"), userVerification: z.literal("preferred") }),
  attestation: z.literal("none"),
});
export type CreationOptions = z.infer<typeof creationOptions>;

/** For `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const requestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  /** Milliseconds. */
  timeout: z.number(),
  /** Empty: any passkey that the browser has for this service. */
  allowCredentials: z.array(descriptor),
  userVerification: z.enum(["required", "preferred"]),
});
export type RequestOptions = z.infer<typeof requestOptions>;

const passkeyName = z.string().trim().min(1).max(100);

export const passkeyStart = z.object({ password: z.string().max(10_000) });

export const newPasskey = z.object({
  name: passkeyName,
  /** What the browser made, as its `toJSON` writes it. */
  credential: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: binary(8000),
      attestationObject: binary(20_000),
      transports: z.array(z.string().max(40)).max(10).default([]),
    }),
  }),
});
export type NewPasskey = z.infer<typeof newPasskey>;

/** The recovery codes are there with the first factor of an account, and in this answer only. */
export const addedPasskey = z.object({ passkey, recovery_codes: z.array(z.string()).optional() });
export type AddedPasskey = z.infer<typeof addedPasskey>;

export const passkeyChange = z.object({ name: passkeyName });

/** What the browser signed with a passkey, as its `toJSON` writes it. */
export const shownPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: binary(8000),
    authenticatorData: binary(8000),
    signature: binary(8000),
    userHandle: binary(200).nullish(),
  }),
});
export type ShownPasskey = z.infer<typeof shownPasskey>;

export const passkeySignIn = z.object({ credential: shownPasskey });
