import { compactVerify, createLocalJWKSet, decodeProtectedHeader, errors, type JSONWebKeySet } from "jose";
import type { ServerMetadata } from "openid-client";
import type { Context } from "../../../context.ts";
import { isRecord, tryParseJson } from "../../../lib/json.ts";
import { utf8Text } from "../../../lib/utf8.ts";
import { fetchProviderDocument } from "./discover-provider.ts";
import type { OidcProvider } from "./providers.ts";
import { ProviderError } from "./sso-failure.ts";

/** Signatures with a key pair; `none` is nowhere (RFC 8725, section 3.2). */
const asymmetric = new Set([
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
]);
/** Signatures with the client secret, which some providers use by default (OpenID Connect Core 1.0, section 10.1). */
const symmetric = new Set(["HS256", "HS384", "HS512"]);

/** Seconds for which keys are believed without asking again. */
const freshSeconds = 600;
/** Seconds between two looks for a key that is not there: unknown key names must not make us ask all the time. */
const pauseSeconds = 10;

/** Plain data only, as in discover.ts. */
const known = new Map<string, { keys: JSONWebKeySet; at: number }>();

export interface VerifiedToken {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
}

/**
 * The claims of a provider's token with a valid signature. Nothing else is checked here.
 * @throws ProviderError
 */
export async function verifySignature(
  ctx: Context,
  provider: OidcProvider,
  metadata: ServerMetadata,
  token: string,
): Promise<VerifiedToken> {
  const alg = algorithmOf(token);
  const announced = metadata.id_token_signing_alg_values_supported;
  if (announced && !announced.includes(alg))
    throw new ProviderError(`the token is signed with ${alg}, which the provider does not list`);
  try {
    if (asymmetric.has(alg)) return read(await verifyWithKeys(ctx, metadata.jwks_uri!, token, alg));
    if (symmetric.has(alg) && provider.clientSecret !== "")
      return read(await compactVerify(token, new TextEncoder().encode(provider.clientSecret), { algorithms: [alg] }));
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw new ProviderError(`the signature of the token is invalid (${alg})`, { cause: error });
  }
  throw new ProviderError(`the token is signed with ${alg}: set a key for RS256 or ES256 at the provider`);
}

/** Reads the provider's keys now. @throws ProviderError */
export async function readKeys(ctx: Context, address: string): Promise<JSONWebKeySet> {
  const document = await fetchProviderDocument(ctx, address);
  if (!Array.isArray(document["keys"])) throw new ProviderError(`${address} has no keys`);
  const keys = { keys: document["keys"].filter(isRecord) } as unknown as JSONWebKeySet;
  known.set(address, { keys, at: Date.now() / 1000 });
  return keys;
}

function algorithmOf(token: string): string {
  try {
    return String(decodeProtectedHeader(token).alg);
  } catch (error) {
    throw new ProviderError("the provider did not return a signed token", { cause: error });
  }
}

async function verifyWithKeys(ctx: Context, address: string, token: string, alg: string) {
  const options = { algorithms: [alg] };
  const found = known.get(address);
  const age = found ? Date.now() / 1000 - found.at : Infinity;
  if (found && age < freshSeconds) {
    try {
      return await compactVerify(token, createLocalJWKSet(found.keys), options);
    } catch (error) {
      // The provider may have a new key since.
      if (!(error instanceof errors.JWKSNoMatchingKey) || age < pauseSeconds) throw error;
    }
  }
  return compactVerify(token, createLocalJWKSet(await readKeys(ctx, address)), options);
}

function read({ payload, protectedHeader }: Awaited<ReturnType<typeof compactVerify>>): VerifiedToken {
  const claims = tryParseJson(utf8Text(payload));
  if (!isRecord(claims)) throw new ProviderError("the token has no claims");
  return { header: { ...protectedHeader }, claims };
}
