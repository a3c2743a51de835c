import { eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { AppError } from "../../../errors.ts";
import { sha256Hex } from "../../../lib/sha256.ts";
import { newLinkToken } from "../../link-token.ts";
import { organizations } from "../../organizations/tables.ts";
import { users } from "../../users/tables.ts";
import { signInCount } from "../metrics.ts";
import type { Descriptor } from "../passkeys/schema.ts";
import { requestOptionsFor } from "../passkeys/stored-passkeys.ts";
import { takePasskey, wrongPasskey } from "../passkeys/take-passkey.ts";
import { newSession } from "../sessions/new-session.ts";
import { sessions } from "../sessions/tables.ts";
import { originOf, rememberNetwork, type SignInClient } from "../sign-in/known-network.ts";
import { noteWrongSignIn, signedInRow } from "../sign-in/note-sign-in.ts";
import { signedIn, startedSession, type SignedIn } from "../sign-in/signed-in.ts";
import type { SecondStep } from "./schema.ts";
import { signInSteps } from "./tables.ts";
import { takeCode, wrongCode } from "./take-code.ts";

/** Seconds in which the code has to come. */
const lifetimeSeconds = 600;

/** What a person can finish a sign-in with, as it is read with the password. */
export interface OwnFactors {
  hasApp: boolean;
  passkeys: Descriptor[];
}

/** The row of a sign-in that waits for its second factor, and the token that finishes it. */
export async function waitingStep(ctx: Context, userId: string, factors: OwnFactors, condition: SQL) {
  const { token, tokenHash } = await newLinkToken();
  const expiresAt = ctx.now() + lifetimeSeconds;
  const step = { for: "step", tokenHash } as const;
  const methods = [
    ...(factors.hasApp ? ["totp"] : []),
    ...(factors.passkeys.length > 0 ? ["passkey"] : []),
    "recovery",
  ];
  return {
    statement: insertWhere(ctx.db, signInSteps, { tokenHash, userId, expiresAt }, condition).returning({
      userId: signInSteps.userId,
    }),
    /** What the client is told: the password was right, and more is needed. */
    needed: new AppError(
      "second_factor_required",
      "This account has a second factor: finish with POST /api/v1/auths/signin/second_factor and a code or a passkey",
      {
        members: {
          second_factor: {
            token,
            expires_at: expiresAt,
            methods,
            ...(factors.passkeys.length > 0 && {
              passkey: await requestOptionsFor(ctx, step, factors.passkeys, expiresAt),
            }),
          },
        },
      },
    ),
  };
}

/**
 * Finishes a sign-in with a code of the app, a recovery code or a passkey. The factor, the step and the session are one batch.
 * @throws AppError `session_ended` (401) for a sign-in that took too long; `invalid_credentials` (400), `too_many_requests` (429),
 *   `account_inactive` (401), `organization_inactive` (403)
 */
export async function finishSignIn(ctx: Context, input: SecondStep, client: SignInClient): Promise<SignedIn> {
  const tokenHash = await sha256Hex(input.token);
  const now = ctx.now();
  const [found] = await ctx.db
    .select({ id: users.id, email: users.email })
    .from(signInSteps)
    .innerJoin(users, eq(users.id, signInSteps.userId))
    .innerJoin(organizations, eq(organizations.id, users.organizationId))
    .where(
      sql`${eq(signInSteps.tokenHash, tokenHash)} AND ${signInSteps.expiresAt} > ${now} AND ${users.active} = 1 AND ${organizations.active} = 1`,
    );
  if (!found) throw new AppError("session_ended", "This sign-in has taken too long: start again with your password");
  const taking =
    "code" in input ? takeCode(ctx, found.id, input.code) : takePasskey(ctx, found.id, input.passkey, tokenHash);
  const taken = await taking.catch(async (error: unknown) => {
    if (error instanceof AppError && error.code === "invalid_credentials") {
      signInCount.add(ctx.environment, ["password", "failed"]);
      await noteWrongSignIn(ctx, { error: "code" in input ? "wrong_code" : "wrong_passkey", userId: found.id }, client);
    }
    throw error;
  });
  const session = await newSession(ctx, found.id, client.userAgent);
  const origin = await originOf(ctx, found.email, client);
  const waits = sql`EXISTS (SELECT 1 FROM ${signInSteps} WHERE token_hash = ${tokenHash})`;
  const results = await ctx.db.batch([
    taken.use,
    insertWhere(ctx.db, sessions, session.row, sql`changes() > 0 AND ${waits}`).returning({ id: sessions.id }),
    ctx.db.delete(signInSteps).where(eq(signInSteps.tokenHash, tokenHash)),
    ctx.db.update(users).set({ lastActiveAt: now }).where(eq(users.id, found.id)),
    taken.release,
    ...rememberNetwork(ctx, origin, session.row),
    signedInRow(ctx, session.row, client, { method: "password", secondFactor: taken.kind }),
    startedSession(ctx, session),
  ]);
  if (results[1].length === 0) throw taken.kind === "passkey" ? wrongPasskey() : wrongCode();
  signInCount.add(ctx.environment, ["password", "done"]);
  return signedIn(ctx, results.at(-1) as Awaited<ReturnType<typeof startedSession>>, session);
}
