import { sql } from "drizzle-orm";
import { decodeJwt } from "jose";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { isRecord } from "../../../lib/json.ts";
import { auditRows } from "../../audit/audit-row.ts";
import { identities, users } from "../../users/tables.ts";
import { closeLive } from "../sessions/end-sessions.ts";
import { sessions } from "../sessions/tables.ts";
import { discover } from "./discover-provider.ts";
import { listProviders, type OidcProvider } from "./providers.ts";
import { ProviderError } from "./sso-failure.ts";
import { verifySignature } from "./verify-signature.ts";

const eventName = "http://schemas.openid.net/event/backchannel-logout";
/** Seconds by which clocks may differ. */
const skewSeconds = 60;
/** Seconds after which a token without an end of its own is too old. */
const maxAgeSeconds = 300;
/** Seconds after which a token that is sent again ends nothing more; enough for a provider whose clock is behind. */
const reachSeconds = 300;
/** Longest token that is looked at. */
const maxLength = 20_000;

/** Whose sessions end: all of a subject, or one that the provider names. */
interface LogoutOrder {
  subject: string | undefined;
  providerSession: string | undefined;
  /** Epoch seconds. */
  issuedAt: number;
}

/**
 * The provider ends sessions (OpenID Connect Back-Channel Logout 1.0): those of the session that it names, or everything of
 * the person. Nobody is signed in here, so the token is all that counts. A token that is sent again ends nothing that began
 * after it.
 * @throws AppError `bad_request` that says what does not hold.
 */
export async function backchannelLogout(ctx: Context, token: string): Promise<{ ended: number }> {
  if (!ctx.settings.ENABLE_OAUTH_BACKCHANNEL_LOGOUT) throw invalid("Back-channel logout is switched off");
  const { provider, order } = await readToken(ctx, token);
  const ended = await endSessions(ctx, provider, order);
  const byPerson = Map.groupBy(ended, (session) => session.userId);
  await Promise.all(
    [...byPerson].map(([userId, theirs]) =>
      closeLive(
        ctx,
        userId,
        "session_ended",
        theirs.map(({ id }) => id),
      ),
    ),
  );
  return { ended: ended.length };
}

async function endSessions(
  ctx: Context,
  provider: OidcProvider,
  { subject, providerSession, issuedAt }: LogoutOrder,
): Promise<{ id: string; userId: string }[]> {
  const isProviders = sql`${sessions.provider} = ${provider.id}`;
  const people = sql`(SELECT user_id FROM ${sessions} WHERE provider = ${provider.id} AND provider_subject = ${subject ?? null}
    UNION SELECT user_id FROM ${identities} WHERE source = 'oauth' AND provider = ${provider.id} AND external_id = ${subject ?? null})`;
  // A session of ours to which the provider gave no name is one of the subject's.
  const named = sql`${isProviders} AND (${sessions.providerSession} = ${providerSession ?? null}
    OR (${sessions.providerSession} IS NULL AND ${sessions.providerSubject} = ${subject ?? null}))`;
  const ending = sql`${sessions.createdAt} <= ${issuedAt + reachSeconds} AND ${
    providerSession === undefined ? sql`${sessions.userId} IN ${people}` : named
  }${providerSession !== undefined && subject !== undefined ? sql` AND ${sessions.providerSubject} = ${subject}` : sql``}`;
  const targets = await ctx.db.all<{ id: string }>(
    sql`SELECT DISTINCT ${sessions.userId} AS id FROM ${sessions} WHERE ${ending}`,
  );
  if (targets.length === 0) return [];
  const counted = sql`SELECT ${users.id} AS id, ${users.organizationId} AS home,
    (SELECT count(*) FROM ${sessions} WHERE ${sessions.userId} = ${users.id} AND ${ending}) AS ended FROM ${users}`;
  const [, ended] = await ctx.db.batch([
    auditRows(
      ctx,
      {
        action: "sso.signed_out",
        targetType: "user",
        organizationId: sql`t.home`,
        detail: sql`json_object('provider', ${provider.id}, 'sessions', t.ended)`,
      },
      targets.map(({ id }) => id),
      sql`SELECT * FROM (${counted}) WHERE ended > 0`,
    ),
    ctx.db.delete(sessions).where(ending).returning({ id: sessions.id, userId: sessions.userId }),
  ]);
  return ended;
}

/** The checks of section 2.6, in its order. @throws AppError `bad_request` */
async function readToken(ctx: Context, token: string): Promise<{ provider: OidcProvider; order: LogoutOrder }> {
  if (token.length > maxLength) throw invalid("The logout token is too long");
  const { provider, metadata } = await findIssuer(ctx, token);
  const { header, claims } = await verifySignature(ctx, provider, metadata, token).catch((error: unknown) => {
    throw error instanceof ProviderError ? invalid(`Invalid logout token: ${error.message}`) : error;
  });
  const type = header["typ"];
  // Explicit types keep tokens for other purposes out; older providers give none, or only JWT.
  if (type !== undefined && !/^(application\/)?(logout\+jwt|jwt)$/i.test(String(type)))
    throw invalid("The token's type is not logout+jwt");
  const now = ctx.now();
  const { iat, exp, events, sub, sid } = claims;
  if (typeof iat !== "number" || iat > now + skewSeconds) throw invalid("iat is missing or in the future");
  if (exp === undefined ? iat < now - maxAgeSeconds : typeof exp !== "number" || exp < now - skewSeconds)
    throw invalid("The logout token has expired");
  if (!isRecord(events) || !isRecord(events[eventName])) throw invalid("events has no logout event");
  if (Object.hasOwn(claims, "nonce")) throw invalid("A logout token must not have a nonce");
  if (typeof claims["jti"] !== "string") throw invalid("jti is missing");
  if ((sub !== undefined && typeof sub !== "string") || (sid !== undefined && typeof sid !== "string"))
    throw invalid("sub and sid must be strings");
  if (!sub && !sid) throw invalid("The logout token has neither sub nor sid");
  return { provider, order: { subject: sub || undefined, providerSession: sid || undefined, issuedAt: iat } };
}

/** The provider that the token says that it comes from and that it is meant for us; both are true once the signature is. */
async function findIssuer(ctx: Context, token: string) {
  const { iss, aud } = decode(token);
  const audiences = new Set([aud].flat());
  const candidates = listProviders(ctx.settings).filter((provider) => audiences.has(provider.clientId));
  for (const provider of candidates) {
    const metadata = await discover(ctx, provider).catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
      ctx.log.warn("could not verify a logout with the provider", { provider: provider.id, reason: error.message });
      return undefined;
    });
    if (metadata && metadata.issuer === iss) return { provider, metadata };
  }
  throw invalid("iss and aud do not match any configured provider");
}

function decode(token: string) {
  try {
    return decodeJwt(token);
  } catch {
    throw invalid("The logout token is not a JSON Web Token");
  }
}

function invalid(message: string): AppError {
  return new AppError("bad_request", message);
}
