import { eq, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { organizations } from "../../organizations/tables.ts";
import { users } from "../../users/tables.ts";
import { signInCount } from "../metrics.ts";
import { newSession } from "../sessions/new-session.ts";
import { sessions } from "../sessions/tables.ts";
import { isKnownNetwork, originOf, rememberNetwork, type SignInClient } from "../sign-in/known-network.ts";
import { signedInRow } from "../sign-in/note-sign-in.ts";
import { noteRefusal, requireActive } from "../sign-in/refused-sign-in.ts";
import { requireChecks, reserveChecks } from "../sign-in/reserve-checks.ts";
import { signedIn, startedSession, type SignedIn } from "../sign-in/signed-in.ts";
import { releasePasswordChecks } from "../sign-in/slow-down.ts";
import { challengeSeconds, spendChallenge } from "./challenge.ts";
import { checkShown } from "./check-response.ts";
import { requirePasskeys } from "./relying-party.ts";
import type { RequestOptions, ShownPasskey } from "./schema.ts";
import { notePasskeyUse, requestOptionsFor } from "./stored-passkeys.ts";
import { passkeys } from "./tables.ts";
import { wrongPasskey } from "./take-passkey.ts";

/** What a browser needs to sign in with any passkey that it has for this service. @throws AppError `forbidden` where they are off */
export async function startPasskeySignIn(ctx: Context): Promise<RequestOptions> {
  requirePasskeys(ctx);
  return requestOptionsFor(ctx, { for: "sign-in" }, [], ctx.now() + challengeSeconds);
}

/**
 * Signs in with a passkey in place of the password and the second factor. Wrong ones count with the wrong passwords of the account's
 * address, for the same device or network.
 * @throws AppError `invalid_credentials` (400), `too_many_requests` (429), `account_inactive` (401), `organization_inactive` (403),
 *   `forbidden` where passkeys are off
 */
export async function signInWithPasskey(ctx: Context, shown: ShownPasskey, client: SignInClient): Promise<SignedIn> {
  requirePasskeys(ctx);
  const attemptBy = (userId: string | undefined) => ({ method: "passkey", userId, client }) as const;
  const [person] = await ctx.db
    .select({
      id: users.id,
      email: users.email,
      active: users.active,
      organizationActive: organizations.active,
      passkeyId: passkeys.id,
      publicKey: passkeys.publicKey,
    })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .innerJoin(organizations, eq(organizations.id, users.organizationId))
    .where(eq(passkeys.credentialId, shown.id));
  if (!person) {
    await noteRefusal(ctx, "wrong_passkey", attemptBy(undefined));
    throw wrongPasskey();
  }
  const origin = await originOf(ctx, person.email, client);
  const [first, second, [network]] = await ctx.db.batch([
    ...reserveChecks(ctx, origin),
    ctx.db.all<{ known: number }>(sql`SELECT ${isKnownNetwork(ctx, origin)} AS known`),
  ]);
  const { buckets } = requireChecks(origin, network?.known === 1, first, second);
  const checked = await checkShown(ctx, { for: "sign-in" }, shown, {
    userId: person.id,
    publicKey: person.publicKey,
    isOnlyFactor: true,
  });
  if (!checked) {
    await noteRefusal(ctx, "wrong_passkey", attemptBy(person.id));
    throw wrongPasskey();
  }
  await requireActive(ctx, person, buckets, attemptBy(person.id));
  const session = await newSession(ctx, person.id, client.userAgent);
  // The account may have been switched off while the signature was being checked.
  const stillSo = sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${person.id} AND active = 1)`;
  const results = await ctx.db.batch([
    spendChallenge(ctx, checked.challenge, stillSo),
    notePasskeyUse(ctx, person.passkeyId, checked, sql`changes() > 0`),
    insertWhere(ctx.db, sessions, session.row, sql`changes() > 0`).returning({ id: sessions.id }),
    ctx.db
      .update(users)
      .set({ lastActiveAt: ctx.now() })
      .where(sql`${eq(users.id, person.id)} AND EXISTS (SELECT 1 FROM ${sessions} WHERE id = ${session.row.id})`),
    releasePasswordChecks(ctx, buckets),
    ...rememberNetwork(ctx, origin, session.row),
    signedInRow(ctx, session.row, client, { method: "passkey" }),
    startedSession(ctx, session),
  ]);
  if (results[2].length === 0) {
    // Used before, or copied: the counter of the authenticator that has it did not grow.
    await noteRefusal(ctx, "passkey_used_before", attemptBy(person.id));
    throw wrongPasskey();
  }
  signInCount.add(ctx.environment, ["passkey", "done"]);
  return signedIn(ctx, results.at(-1) as Awaited<ReturnType<typeof startedSession>>, session);
}
