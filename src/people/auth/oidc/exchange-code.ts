import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  ResponseBodyError,
} from "openid-client";
import type { Context } from "../../../context.ts";
import type { Attempt } from "./sign-in-attempt.ts";
import { configure } from "./configure.ts";
import { discover } from "./discover-provider.ts";
import type { OidcProvider } from "./providers.ts";
import { ProviderError } from "./sso-failure.ts";
import { verifySignature } from "./verify-signature.ts";

/** What the provider says of a person who has just signed in there. */
export interface Assertion {
  /** Of the ID token and of the userinfo endpoint; where both say something, what is signed counts. */
  claims: Record<string, unknown>;
  /** Its own `sub` and `sid`, which back-channel logout names. */
  subject: string;
  providerSession: string | null;
  idToken: string;
}

/** Where the browser goes to sign in: code flow with PKCE, state and nonce. @throws ProviderError */
export async function authorizationAddress(ctx: Context, provider: OidcProvider, attempt: Attempt): Promise<string> {
  const config = configure(ctx, provider, await discover(ctx, provider));
  return buildAuthorizationUrl(config, {
    redirect_uri: attempt.redirectUri,
    scope: provider.scopes,
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: ctx.settings.OAUTH_CODE_CHALLENGE_METHOD,
  }).href;
}

/**
 * Turns the provider's answer into what it says of the person (OpenID Connect Core 1.0, section 3.1.3): state, issuer
 * (RFC 9207), code with its proof, ID token with its nonce, audience, times and signature, userinfo of the same subject.
 * @param answer the query of the callback
 * @throws ProviderError
 */
export async function exchangeCode(
  ctx: Context,
  provider: OidcProvider,
  attempt: Attempt,
  answer: URLSearchParams,
): Promise<Assertion> {
  const metadata = await discover(ctx, provider);
  const config = configure(ctx, provider, metadata);
  const address = new URL(attempt.redirectUri);
  address.search = answer.toString();
  try {
    const tokens = await authorizationCodeGrant(config, address, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
    });
    // Over TLS the signature may be left unchecked (section 3.1.3.7); it is checked all the same.
    const { claims: signed } = await verifySignature(ctx, provider, metadata, tokens.id_token!);
    const subject = tokens.claims()!.sub;
    const said = metadata.userinfo_endpoint ? await fetchUserInfo(config, tokens.access_token, subject) : {};
    return {
      claims: { ...said, ...signed },
      subject,
      providerSession: typeof signed["sid"] === "string" ? signed["sid"] : null,
      idToken: tokens.id_token!,
    };
  } catch (error) {
    throw toProviderError(error);
  }
}

/** Only names and texts are taken over: what hangs on these errors may hold tokens. */
function toProviderError(error: unknown): ProviderError {
  for (let current = error, depth = 0; current instanceof Error && depth < 4; current = current.cause, depth++) {
    if (current instanceof ProviderError) return current;
    if (current instanceof ResponseBodyError || current instanceof AuthorizationResponseError)
      return new ProviderError(current.error_description ?? "the provider did not give a reason", {
        error: current.error,
      });
  }
  if (!(error instanceof Error)) return new ProviderError("something went wrong");
  const reason = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return new ProviderError(error.message + reason);
}
