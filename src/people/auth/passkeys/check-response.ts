import type { Context } from "../../../context.ts";
import { fromBase64, toBase64 } from "../../../lib/base64.ts";
import { type AnsweredChallenge, type Purpose, readChallenge } from "./challenge.ts";
import { relyingParty } from "./relying-party.ts";
import type { NewPasskey, ShownPasskey } from "./schema.ts";

/** What a browser says that it made. */
export interface MadePasskey {
  challenge: AnsweredChallenge;
  credentialId: string;
  publicKey: string;
  counter: number;
  isSynced: boolean;
}

/** A signature that is right. */
export interface CheckedPasskey {
  challenge: AnsweredChallenge;
  counter: number;
  isSynced: boolean;
}

/** Half of it reads certificates of authenticators, and only sign-ins with a passkey need the rest: it is set up with the first. */
const library = () => import("@simplewebauthn/server");

/** Checks a new passkey; undefined for one that is not right in any way. */
export async function checkMade(
  ctx: Context,
  purpose: Purpose,
  { id, rawId, type, response }: NewPasskey["credential"],
): Promise<MadePasskey | undefined> {
  const challenges = challengeReader(ctx, purpose);
  const { id: expectedRPID, origin } = relyingParty(ctx);
  try {
    if (!(await hasPlainAttestation(response.attestationObject))) return undefined;
    const { verifyRegistrationResponse } = await library();
    const { verified, registrationInfo: made } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject },
      },
      expectedChallenge: challenges.isOurs,
      expectedOrigin: origin,
      expectedRPID,
      // With the password it counts without a finger or a PIN; alone it signs in only with one of them.
      requireUserVerification: false,
    });
    if (!verified || !made || !challenges.read || made.credential.id !== id) return undefined;
    return {
      challenge: challenges.read,
      credentialId: made.credential.id,
      publicKey: toBase64(made.credential.publicKey),
      counter: made.credential.counter,
      isSynced: made.credentialBackedUp,
    };
  } catch {
    return undefined;
  }
}

/**
 * No statement about the authenticator was asked for, and the only one that browsers may still send is signed by the new key itself.
 * Certificates would be checked against lists at addresses that they name.
 */
async function hasPlainAttestation(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  const bytes = fromBase64(attestationObject.replaceAll("-", "+").replaceAll("_", "/"));
  const object = decodeAttestationObject(bytes);
  const format = object.get("fmt");
  return format === "none" || (format === "packed" && object.get("attStmt").get("x5c") === undefined);
}

/**
 * Checks a signature; undefined for one that is not right in any way. The counter is left to the statement that stores it: of two
 * requests at once only one may raise it.
 * @param isOnlyFactor then the authenticator must have asked for a finger, a face or a PIN
 */
export async function checkShown(
  ctx: Context,
  purpose: Purpose,
  { id, rawId, type, response }: ShownPasskey,
  { userId, publicKey, isOnlyFactor }: { userId: string; publicKey: string; isOnlyFactor: boolean },
): Promise<CheckedPasskey | undefined> {
  const challenges = challengeReader(ctx, purpose);
  const { id: expectedRPID, origin } = relyingParty(ctx);
  const { userHandle } = response;
  if (userHandle && userHandle !== userHandleOf(userId)) return undefined;
  try {
    const { verifyAuthenticationResponse } = await library();
    const { verified, authenticationInfo: shown } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: {
          clientDataJSON: response.clientDataJSON,
          authenticatorData: response.authenticatorData,
          signature: response.signature,
        },
      },
      expectedChallenge: challenges.isOurs,
      expectedOrigin: origin,
      expectedRPID,
      credential: { id, publicKey: fromBase64(publicKey), counter: -1 },
      requireUserVerification: isOnlyFactor,
    });
    if (!verified || !challenges.read) return undefined;
    return { challenge: challenges.read, counter: shown.newCounter, isSynced: shown.credentialBackedUp };
  } catch {
    return undefined;
  }
}

/** What authenticators keep of the person: the id of the account, which says nothing about them. */
export function userHandleOf(userId: string): string {
  return btoa(userId).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function challengeReader(ctx: Context, purpose: Purpose) {
  const reader = {
    read: undefined as AnsweredChallenge | undefined,
    isOurs: async (challenge: string): Promise<boolean> => {
      reader.read = await readChallenge(ctx, purpose, challenge);
      return reader.read !== undefined;
    },
  };
  return reader;
}
