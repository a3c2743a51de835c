import type {
  CreationOptions,
  NewPasskey,
  RequestOptions,
  ShownPasskey,
} from "../../../people/auth/passkeys/schema.ts";
import { api } from "../api.ts";

/** Why no passkey came of it: `cancelled` also when it took too long, `there` when this device has one for the account already. */
export type PasskeyFailure = "cancelled" | "there" | "unusable";

/** What a browser said instead of an answer; undefined for errors that are not about passkeys. */
export function passkeyFailureOf(cause: unknown): PasskeyFailure | undefined {
  if (!(cause instanceof DOMException)) return undefined;
  if (cause.name === "InvalidStateError") return "there";
  return cause.name === "NotAllowedError" || cause.name === "AbortError" ? "cancelled" : "unusable";
}

/** Has the browser make a passkey. */
export async function makePasskey(options: CreationOptions): Promise<NewPasskey["credential"]> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return toJson(await navigator.credentials.create({ publicKey }));
}

/** Has the person choose a passkey and confirm. */
export async function showPasskey(options: RequestOptions, signal?: AbortSignal): Promise<ShownPasskey> {
  return toJson(await navigator.credentials.get({ publicKey: parse(options), ...(signal && { signal }) }));
}

/** The same for a sign-in, with any passkey that the browser has for this service. */
export async function showAnyPasskey(signal?: AbortSignal): Promise<ShownPasskey> {
  return showPasskey(await startSignIn(signal), signal);
}

/**
 * Offers passkeys among what the browser fills in for the name, until the signal ends it. Challenges end after some minutes; so a new
 * one takes over before.
 * @returns undefined where the browser cannot do that, or when the signal has ended it
 */
export async function offerPasskeys(signal: AbortSignal): Promise<ShownPasskey | undefined> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return undefined;
  while (!signal.aborted) {
    const options = await startSignIn(signal);
    const renewed = AbortSignal.timeout(options.timeout * 0.8);
    try {
      const credential = await navigator.credentials.get({
        publicKey: parse(options),
        mediation: "conditional",
        signal: AbortSignal.any([signal, renewed]),
      });
      return toJson(credential);
    } catch (cause) {
      if (!renewed.aborted || signal.aborted) throw cause;
    }
  }
  return undefined;
}

const startSignIn = (signal?: AbortSignal): Promise<RequestOptions> =>
  api("POST", "/api/v1/auths/signin/passkey/start", { plain401: true, signal });

const parse = (options: RequestOptions) =>
  PublicKeyCredential.parseRequestOptionsFromJSON(options as unknown as PublicKeyCredentialRequestOptionsJSON);

function toJson<T>(credential: Credential | null): T {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException("No passkey", "NotAllowedError");
  return credential.toJSON() as T;
}
