import { eq, sql } from "drizzle-orm";
import { requireSession, type User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { AppError } from "../../../errors.ts";
import { auditRowIf } from "../../audit/audit-row.ts";
import { passwords } from "../../users/tables.ts";
import { verifyPassword } from "../passwords/hash-password.ts";
import { requirePasswordAuth } from "../sign-in/require-password-auth.ts";
import {
  releasePasswordChecks,
  requirePasswordCheck,
  reservePasswordCheck,
  spendPasswordChecks,
  wrongPassword,
} from "../sign-in/slow-down.ts";
import { isRequiredFor } from "./is-required.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import type { FactorSecret, OwnFactor, RecoveryCodeList } from "./schema.ts";
import { recoveryCodes, totpSecrets } from "./tables.ts";
import { takeCode, wrongCode } from "./take-code.ts";
import { newTotpSecret, stepOfCode, totpAddress } from "./totp.ts";

/**
 * A person with a session, also one who has to set a factor up before anything else: keys act for people and do not change how
 * these sign in.
 * @throws AppError `forbidden`, `account_pending`
 */
export function requirePerson(ctx: Context): User {
  const user = requireSession(ctx);
  if (user.role === "pending")
    throw new AppError("account_pending", "An administrator has to activate this account first");
  if (user.credential.kind !== "session")
    throw new AppError("forbidden", "The second factor is changed with a session, not with an API key");
  return user;
}

/** The caller's second factor, without its secrets. */
export async function getOwnFactor(ctx: Context): Promise<OwnFactor> {
  const user = requirePerson(ctx);
  const [found] = await ctx.db.all<{ since: number | null; left: number; has_password: number }>(sql`SELECT
    (SELECT confirmed_at FROM ${totpSecrets} WHERE user_id = ${user.id}) AS since,
    (SELECT count(*) FROM ${recoveryCodes} WHERE user_id = ${user.id}) AS left,
    EXISTS (SELECT 1 FROM ${passwords} WHERE user_id = ${user.id}) AS has_password`);
  const { since, left, has_password: hasPassword } = found!;
  return {
    is_on: since !== null,
    since,
    recovery_codes_left: since === null ? 0 : left,
    is_required: isRequiredFor(ctx.settings, user),
    has_password: Boolean(hasPassword) && ctx.settings.ENABLE_PASSWORD_AUTH,
  };
}

/**
 * Begins to set an app up: a new secret, which counts for nothing until a code of it is entered. Takes the password, because the
 * browser may be somebody else's.
 * @throws AppError `incorrect_password`, `too_many_requests`; `conflict` where one is set up already
 */
export async function startFactor(ctx: Context, password: string): Promise<FactorSecret> {
  const user = requirePerson(ctx);
  requirePasswordAuth(ctx);
  const bucket = `password:${user.id}`;
  const [taken, [stored]] = await ctx.db.batch([
    reservePasswordCheck(ctx, bucket),
    ctx.db.select({ hash: passwords.hash }).from(passwords).where(eq(passwords.userId, user.id)),
  ]);
  const level = requirePasswordCheck(taken);
  if (!stored)
    throw new AppError("incorrect_password", "This account has no password: it signs in through an identity provider");
  const place = { lane: "known", share: user.id } as const;
  const { right } = await spendPasswordChecks(ctx, [bucket], () => verifyPassword(ctx, password, stored.hash, place));
  if (!right) throw wrongPassword("incorrect_password", "The password is wrong.", level);
  const secret = newTotpSecret();
  const sealedSecret = await ctx.vault.seal(secret);
  const now = ctx.now();
  const [written] = await ctx.db.batch([
    ctx.db
      .insert(totpSecrets)
      .values({ userId: user.id, sealedSecret, createdAt: now })
      .onConflictDoUpdate({
        target: totpSecrets.userId,
        set: { sealedSecret, createdAt: now, lastStep: 0 },
        setWhere: sql`${totpSecrets.confirmedAt} IS NULL`,
      }),
    releasePasswordChecks(ctx, [bucket]),
  ]);
  if (written.rowsAffected === 0)
    throw new AppError("conflict", "An authenticator app is set up already: remove it first");
  return { secret, address: totpAddress(secret, ctx.settings.WEBUI_NAME, user.email) };
}

/**
 * Ends the set-up with a code of the app; from now on signing in with the password asks for one.
 * @throws AppError `invalid_credentials`, `too_many_requests`; `conflict` where nothing was begun
 */
export async function confirmFactor(ctx: Context, typed: string): Promise<RecoveryCodeList> {
  const user = requirePerson(ctx);
  const bucket = `factor:${user.id}`;
  const [taken, [found]] = await ctx.db.batch([
    reservePasswordCheck(
      ctx,
      bucket,
      10,
      sql`EXISTS (SELECT 1 FROM ${totpSecrets} WHERE user_id = ${user.id} AND confirmed_at IS NULL)`,
    ),
    ctx.db
      .select()
      .from(totpSecrets)
      .where(sql`${eq(totpSecrets.userId, user.id)} AND confirmed_at IS NULL`),
  ]);
  if (!found) throw new AppError("conflict", "There is no set-up to finish: begin again");
  if (taken.length === 0)
    throw new AppError("too_many_requests", "Too many wrong codes: wait a minute before the next try", {
      retryAfter: 60,
    });
  const now = ctx.now();
  const step = stepOfCode(await ctx.vault.open(found.sealedSecret), typed.replaceAll(/\s/g, ""), now);
  if (step === undefined) throw wrongCode();
  const isSame = sql`${eq(totpSecrets.userId, user.id)} AND confirmed_at IS NULL AND ${eq(totpSecrets.sealedSecret, found.sealedSecret)}`;
  const { codes, statements } = await newCodeStatements(
    ctx,
    user.id,
    sql`EXISTS (SELECT 1 FROM ${totpSecrets}
    WHERE user_id = ${user.id} AND sealed_secret = ${found.sealedSecret} AND confirmed_at = ${now} AND last_step = ${step})`,
  );
  const [set] = await ctx.db.batch([
    ctx.db.update(totpSecrets).set({ confirmedAt: now, lastStep: step }).where(isSame),
    auditRowIf(ctx, { action: "user.second_factor_added", targetType: "user", targetId: user.id }),
    ...statements,
    releasePasswordChecks(ctx, [bucket]),
  ]);
  if (set.rowsAffected === 0) throw new AppError("conflict", "There is no set-up to finish: begin again");
  await ctx.live.recheck([user.id]);
  return { recovery_codes: codes };
}

async function newCodeStatements(ctx: Context, userId: string, condition: ReturnType<typeof sql>) {
  const codes = newRecoveryCodes();
  const hashes = await Promise.all(codes.map(hashRecoveryCode));
  return {
    codes,
    statements: [
      ctx.db.delete(recoveryCodes).where(sql`${eq(recoveryCodes.userId, userId)} AND ${condition}`),
      ...hashes.map((codeHash) => insertWhere(ctx.db, recoveryCodes, { userId, codeHash }, condition)),
    ],
  };
}

/**
 * New recovery codes; the old ones open nothing any more.
 * @throws AppError `invalid_credentials`, `too_many_requests`
 */
export async function renewCodes(ctx: Context, typed: string): Promise<RecoveryCodeList> {
  const user = requirePerson(ctx);
  const { use, release } = await takeCode(ctx, user.id, typed);
  const { codes, statements } = await newCodeStatements(
    ctx,
    user.id,
    sql`EXISTS (SELECT 1 FROM ${totpSecrets}
    WHERE user_id = ${user.id} AND confirmed_at IS NOT NULL)`,
  );
  // The code is used by itself: of two requests with one code, one goes on.
  const used = await ctx.db.batch([use, release]);
  if (used[0].rowsAffected === 0) throw wrongCode();
  const [first, ...others] = statements;
  await ctx.db.batch([
    first!,
    auditRowIf(
      ctx,
      { action: "user.recovery_codes_renewed", targetType: "user", targetId: user.id },
      sql`EXISTS (SELECT 1 FROM ${totpSecrets} WHERE user_id = ${user.id})`,
    ),
    ...others,
  ]);
  return { recovery_codes: codes };
}

/**
 * Removes the second factor.
 * @throws AppError `invalid_credentials`, `too_many_requests`; `forbidden` where it is required
 */
export async function removeFactor(ctx: Context, typed: string): Promise<void> {
  const user = requirePerson(ctx);
  if (isRequiredFor(ctx.settings, user))
    throw new AppError("forbidden", "A second factor is required here: an administrator can reset yours");
  const { use, release } = await takeCode(ctx, user.id, typed);
  const [used] = await ctx.db.batch([
    use,
    auditRowIf(ctx, { action: "user.second_factor_removed", targetType: "user", targetId: user.id }),
    ctx.db.delete(totpSecrets).where(sql`${eq(totpSecrets.userId, user.id)} AND changes() > 0`),
    ctx.db
      .delete(recoveryCodes)
      .where(
        sql`${eq(recoveryCodes.userId, user.id)} AND NOT EXISTS (SELECT 1 FROM ${totpSecrets} WHERE user_id = ${user.id})`,
      ),
    release,
  ]);
  if (used.rowsAffected === 0) throw wrongCode();
}
