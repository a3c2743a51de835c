import { anonymous } from "../../../access.ts";
import { type Context, contextWith } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { sessionCookieHeader } from "../../../http/cookies.ts";
import { dropInvitation, keptInvitation } from "../../invitations/invitation-cookie.ts";
import { type Caller } from "../sign-in/caller.ts";
import { readPerson } from "./claims.ts";
import { authorizationAddress, exchangeCode } from "./exchange-code.ts";
import { noteFailure } from "./note-failure.ts";
import { findProvider, type OidcProvider } from "./providers.ts";
import { returnPath } from "./return-path.ts";
import { startAttempt, takeAttempt } from "./sign-in-attempt.ts";
import { signInPerson } from "./sign-in-person.ts";
import { ProviderError, SsoFailure } from "./sso-failure.ts";

/** The next address for the browser, and its cookies. */
export interface Onward {
  location: string;
  setCookies: string[];
}

interface Asked extends Caller {
  /** The request's `Cookie` header. */
  cookies: string | undefined;
}

/** The callback address for the provider's response. */
export function callbackAddress(ctx: Context, provider: OidcProvider): string {
  return provider.redirectUri || `${ctx.origin}/oauth/${provider.id}/login/callback`;
}

/**
 * Sends the browser to the provider.
 * @param next the page to return to
 * @throws AppError `sso_unknown_provider` (404). All other failures end on the sign-in page.
 */
export async function startSignOn(
  ctx: Context,
  providerId: string,
  next: string | undefined,
  asked: Asked,
): Promise<Onward> {
  const provider = requireProvider(ctx, providerId);
  const page = returnPath(next);
  try {
    const { attempt, setCookies } = await startAttempt(
      ctx,
      { provider: provider.id, redirectUri: callbackAddress(ctx, provider), next: page },
      asked.cookies,
    );
    return { location: await authorizationAddress(ctx, provider, attempt), setCookies };
  } catch (error) {
    return { location: await explain(ctx, provider, error, page, asked), setCookies: [] };
  }
}

/**
 * Handles the provider's response: creates a session and continues to the requested page.
 * @param answer the query of the callback
 * @throws AppError `sso_unknown_provider` (404). All other failures end on the sign-in page.
 */
export async function finishSignOn(
  ctx: Context,
  providerId: string,
  answer: URLSearchParams,
  asked: Asked,
): Promise<Onward> {
  const provider = requireProvider(ctx, providerId);
  const { attempt, setCookies } = await takeAttempt(ctx, provider.id, answer.get("state") ?? undefined, asked.cookies);
  // Anyone who was signed in here until now has no part in it.
  const stranger = contextWith(ctx, { actor: anonymous });
  try {
    if (!attempt)
      throw new SsoFailure("sso_expired", {
        error: answer.get("error") ?? undefined,
        error_description:
          "no sign-in in this browser matches the response: it took longer than 10 minutes, was opened twice, or started at an address other than WEBUI_URL",
      });
    requireCode(answer);
    const assertion = await exchangeCode(stranger, provider, attempt, answer);
    const person = readPerson(stranger, provider, assertion);
    const invitation = await keptInvitation(stranger, asked.cookies);
    if (invitation !== undefined) setCookies.push(dropInvitation(ctx));
    const session = await signInPerson(stranger, provider, person, assertion, asked, invitation).catch(
      (error: unknown) => {
        throw error instanceof SsoFailure ? withPerson(error, person) : error;
      },
    );
    const cookie = sessionCookieHeader(session.token, session.expiresAt, ctx.origin);
    return { location: attempt.next, setCookies: [...setCookies, cookie] };
  } catch (error) {
    return { location: await explain(stranger, provider, error, attempt?.next ?? "/", asked), setCookies };
  }
}

function requireProvider(ctx: Context, providerId: string): OidcProvider {
  const provider = findProvider(ctx.settings, providerId);
  if (!provider) throw new AppError("sso_unknown_provider", "No such sign-in provider");
  return provider;
}

/** @throws SsoFailure for what the provider answers instead of a code (RFC 6749, section 4.1.2.1). */
function requireCode(answer: URLSearchParams): void {
  const error = answer.get("error");
  if (error === null) return;
  throw new SsoFailure(error === "access_denied" ? "sso_denied" : "sso_provider_failed", {
    error,
    error_description: answer.get("error_description") ?? undefined,
  });
}

function withPerson(failure: SsoFailure, { sub, email, roles }: ReturnType<typeof readPerson>): SsoFailure {
  const detail = { ...failure.detail, subject: sub, email };
  return new SsoFailure(failure.code, failure.code === "sso_role_not_allowed" ? { ...detail, roles } : detail);
}

/** The sign-in page that says what to do; the audit log says why. What is our own fault is no matter of the sign-in page. */
async function explain(
  ctx: Context,
  provider: OidcProvider,
  error: unknown,
  next: string,
  caller: Caller,
): Promise<string> {
  const failure =
    error instanceof ProviderError
      ? new SsoFailure("sso_provider_failed", {
          error: error.error ?? "provider_error",
          error_description: error.message,
        })
      : error;
  if (!(failure instanceof SsoFailure)) throw error;
  await noteFailure(ctx, provider.id, failure, caller);
  return `/sign-in?error=${failure.code}${next === "/" ? "" : `&next=${encodeURIComponent(next)}`}`;
}
