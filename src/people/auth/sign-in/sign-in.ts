import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { sha256Hex } from "../../../lib/sha256.ts";
import { requireEmail } from "../../email.ts";
import { organizations } from "../../organizations/tables.ts";
import { passwords, users } from "../../users/tables.ts";
import { signInCount } from "../metrics.ts";
import { arePasskeysOn } from "../passkeys/relying-party.ts";
import type { Descriptor } from "../passkeys/schema.ts";
import { descriptorsOf } from "../passkeys/stored-passkeys.ts";
import { hashPassword, requireAcceptablePassword, verifyPassword } from "../passwords/hash-password.ts";
import { hasRoom, tooManySignIns } from "../passwords/take-turn.ts";
import { hasApp, hasFactor } from "../second-factor/has-factor.ts";
import { waitingStep } from "../second-factor/second-step.ts";
import { newSession } from "../sessions/new-session.ts";
import { sessions } from "../sessions/tables.ts";
import { isKnownNetwork, type Origin, originOf, placeOf, rememberNetwork, type SignInClient } from "./known-network.ts";
import { signedInRow } from "./note-sign-in.ts";
import { noteRefusal, requireActive } from "./refused-sign-in.ts";
import { requirePasswordAuth } from "./require-password-auth.ts";
import { requireChecks, reserveChecks } from "./reserve-checks.ts";
import type { Credentials } from "./schema.ts";
import { signedIn, startedSession, type SignedIn } from "./signed-in.ts";
import { releasePasswordChecks, spendPasswordChecks, wrongPassword } from "./slow-down.ts";

/**
 * Signs in with address and password. The response to a wrong password is the same, and takes the same time, whether or
 * not the account exists.
 * @throws AppError `invalid_email`, `invalid_password`, `invalid_credentials` (400), `too_many_requests` (429),
 *   `passwords_unavailable` (503), and for
 *   correct passwords `second_factor_required`, `account_inactive` (401) and `organization_inactive` (403); `password_auth_disabled` (403).
 */
export async function signIn(ctx: Context, input: Credentials, client: SignInClient): Promise<SignedIn> {
  requirePasswordAuth(ctx);
  const email = requireEmail(input.email);
  requireAcceptablePassword(input.password);
  const origin = await originOf(ctx, email, client);
  await requireRoom(ctx, origin);
  const { buckets, level, person, decoy } = await reserve(ctx, email, origin);
  const place = placeOf(origin, person?.isKnownNetwork === 1);
  const stored = person?.hash ?? null;
  const { right, outdated } = await spendPasswordChecks(ctx, buckets, () =>
    verifyPassword(ctx, input.password, stored, place, decoy),
  );
  if (!person || !right) {
    await noteRefusal(ctx, "invalid_credentials", { method: "password", userId: person?.id, client });
    throw wrongPassword("invalid_credentials", "Wrong e-mail or password.", level);
  }
  await requireActive(ctx, person, buckets, { method: "password", userId: person.id, client });

  const session = await newSession(ctx, person.id, client.userAgent);
  const hash = outdated
    ? await spendPasswordChecks(ctx, buckets, () =>
        hashPassword(ctx, input.password, { lane: "known", share: person.id }),
      )
    : person.hash!;
  // The password may have been changed, or the account switched off, while this one was being checked.
  const stillSo = sql`EXISTS (SELECT 1 FROM ${passwords} p JOIN ${users} u ON u.id = p.user_id WHERE u.id = ${person.id} AND u.active = 1 AND p.hash = ${person.hash})`;
  const rehash = ctx.db
    .update(passwords)
    .set({ hash })
    .where(and(eq(passwords.userId, person.id), eq(passwords.hash, person.hash!)));
  const factors = {
    hasApp: person.hasApp === 1,
    passkeys: arePasskeysOn(ctx.settings) ? (JSON.parse(person.passkeys) as Descriptor[]) : [],
  };
  if (factors.hasApp || factors.passkeys.length > 0) {
    const { statement, needed } = await waitingStep(ctx, person.id, factors, stillSo);
    const [waiting] = await ctx.db.batch([statement, rehash, releasePasswordChecks(ctx, buckets)]);
    if (waiting.length === 0) return signIn(ctx, input, client);
    throw needed;
  }
  // A second factor may have been set up, too.
  const needsNoCode = sql`${stillSo} AND NOT ${hasFactor(ctx, sql`${person.id}`)}`;
  const results = await ctx.db.batch([
    insertWhere(ctx.db, sessions, session.row, needsNoCode).returning({ id: sessions.id }),
    rehash,
    ctx.db.update(users).set({ lastActiveAt: ctx.now() }).where(eq(users.id, person.id)),
    releasePasswordChecks(ctx, buckets),
    ...rememberNetwork(ctx, origin, session.row),
    signedInRow(ctx, session.row, client),
    startedSession(ctx, session),
  ]);
  if (results[0].length === 0) return signIn(ctx, input, client);
  signInCount.add(ctx.environment, ["password", "done"]);
  return signedIn(ctx, results.at(-1) as Awaited<ReturnType<typeof startedSession>>, session);
}

/** Refuses most guesses of a flood without a write: those of strangers for whom the line has no room anyway. */
async function requireRoom(ctx: Context, origin: Origin): Promise<void> {
  if (hasRoom(placeOf(origin, false))) return;
  if (origin.fingerprint === undefined) throw tooManySignIns();
  const [found] = await ctx.db.all<{ known: number }>(sql`SELECT ${isKnownNetwork(ctx, origin)} AS known`);
  if (found?.known !== 1) throw tooManySignIns();
}

/** Takes the checks of this device or network, and reads the person: one batch. */
async function reserve(ctx: Context, email: string, origin: Origin) {
  const [first, second, [person], [other]] = await ctx.db.batch([
    ...reserveChecks(ctx, origin),
    personByEmail(ctx, email, origin),
    ctx.db.all<{ hash: string }>(await someHash(email)),
  ]);
  const { level, buckets } = requireChecks(origin, person?.isKnownNetwork === 1, first, second);
  return { buckets, level, person, decoy: other?.hash ?? null };
}

/**
 * SQL: the hash of somebody, always the same for one address. An address without an account takes as long as that one's: imported
 * hashes take their own time.
 */
async function someHash(email: string): Promise<SQL> {
  const number = Number.parseInt((await sha256Hex(email)).slice(0, 12), 16);
  return sql`SELECT hash FROM passwords WHERE rowid > ${number} % (SELECT max(rowid) FROM passwords) ORDER BY rowid LIMIT 1`;
}

function personByEmail(ctx: Context, email: string, origin: Origin) {
  return ctx.db
    .select({
      id: users.id,
      active: users.active,
      organizationActive: organizations.active,
      hash: passwords.hash,
      isKnownNetwork: isKnownNetwork(ctx, origin),
      hasApp: hasApp(sql`${users.id}`),
      passkeys: descriptorsOf(sql`${users.id}`),
    })
    .from(users)
    .innerJoin(organizations, eq(organizations.id, users.organizationId))
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.email, email));
}
