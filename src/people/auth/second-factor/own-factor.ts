import { eq, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { auditRowIf } from "../../audit/audit-row.ts";
import { passwords } from "../../users/tables.ts";
import { arePasskeysOn } from "../passkeys/relying-party.ts";
import { passkeysOf, readPasskeys } from "../passkeys/stored-passkeys.ts";
import { passkeys } from "../passkeys/tables.ts";
import { releasePasswordChecks, reservePasswordCheck } from "../sign-in/slow-down.ts";
import { confirmPassword, requirePerson } from "./confirm-person.ts";
import { hasAnyFactor, hasApp } from "./has-factor.ts";
import { isRequiredFor } from "./is-required.ts";
import { newCodeStatements } from "./new-code-statements.ts";
import type { FactorProof, FactorSecret, OwnFactor, RecoveryCodeList } from "./schema.ts";
import { recoveryCodes, totpSecrets } from "./tables.ts";
import { maxFactorTries, takeCode, tooManyTries, wrongCode } from "./take-code.ts";
import { newTotpSecret, stepOfCode, totpAddress } from "./totp.ts";

/** The caller's second factor, without its secrets. */
export async function getOwnFactor(ctx: Context): Promise<OwnFactor> {
  const user = requirePerson(ctx);
  const [found] = await ctx.db.all<{
    since: number | null;
    left: number;
    has_password: number;
    list: string;
  }>(sql`SELECT
    (SELECT confirmed_at FROM ${totpSecrets} WHERE user_id = ${user.id}) AS since,
    (SELECT count(*) FROM ${recoveryCodes} WHERE user_id = ${user.id}) AS left,
    EXISTS (SELECT 1 FROM ${passwords} WHERE user_id = ${user.id}) AS has_password,
    ${passkeysOf(sql`${user.id}`)} AS list`);
  const { since, left, has_password: hasPassword, list } = found!;
  const own = readPasskeys(list);
  return {
    is_on: since !== null,
    since,
    passkeys: own,
    passkeys_on: arePasskeysOn(ctx.settings),
    recovery_codes_left: since === null && own.length === 0 ? 0 : left,
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
  const { release } = await confirmPassword(ctx, user, password);
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
    release,
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
      maxFactorTries,
      sql`EXISTS (SELECT 1 FROM ${totpSecrets} WHERE user_id = ${user.id} AND confirmed_at IS NULL)`,
    ),
    ctx.db
      .select()
      .from(totpSecrets)
      .where(sql`${eq(totpSecrets.userId, user.id)} AND confirmed_at IS NULL`),
  ]);
  if (!found) throw new AppError("conflict", "There is no set-up to finish: begin again");
  if (taken.length === 0) throw tooManyTries();
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

/**
 * New recovery codes; the old ones open nothing any more. Takes a code, or the password of those who have passkeys only.
 * @throws AppError `invalid_credentials`, `incorrect_password`, `too_many_requests`; `forbidden` for a password beside an app
 */
export async function renewCodes(ctx: Context, proof: FactorProof): Promise<RecoveryCodeList> {
  const user = requirePerson(ctx);
  const person = sql`${user.id}`;
  const isRight = "code" in proof ? hasAnyFactor(person) : sql`${hasAnyFactor(person)} AND NOT ${hasApp(person)}`;
  const { codes, statements } = await newCodeStatements(ctx, user.id, isRight);
  if ("code" in proof) {
    const { use, release } = await takeCode(ctx, user.id, proof.code);
    // The code is used by itself: of two requests with one code, one goes on.
    const used = await ctx.db.batch([use, release]);
    if (used[0].rowsAffected === 0) throw wrongCode();
  } else {
    const { release } = await confirmPassword(ctx, user, proof.password);
    await release;
  }
  const [first, ...others] = statements;
  const [audited] = await ctx.db.batch([
    auditRowIf(ctx, { action: "user.recovery_codes_renewed", targetType: "user", targetId: user.id }, isRight),
    first!,
    ...others,
  ]);
  if (audited.rowsAffected === 0) throw new AppError("forbidden", "Enter a code of your authenticator app");
  return { recovery_codes: codes };
}

/**
 * Removes the authenticator app. The recovery codes go with the last factor.
 * @throws AppError `invalid_credentials`, `too_many_requests`; `forbidden` where it is the last factor and one is required
 */
export async function removeFactor(ctx: Context, typed: string): Promise<void> {
  const user = requirePerson(ctx);
  if (isRequiredFor(ctx.settings, user)) await requirePasskey(ctx, user.id);
  const { use, release } = await takeCode(ctx, user.id, typed);
  const [used] = await ctx.db.batch([
    use,
    auditRowIf(ctx, { action: "user.second_factor_removed", targetType: "user", targetId: user.id }),
    ctx.db.delete(totpSecrets).where(sql`${eq(totpSecrets.userId, user.id)} AND changes() > 0`),
    ctx.db
      .delete(recoveryCodes)
      .where(sql`${eq(recoveryCodes.userId, user.id)} AND NOT ${hasAnyFactor(sql`${user.id}`)}`),
    release,
  ]);
  if (used.rowsAffected === 0) throw wrongCode();
}

/** @throws AppError `forbidden` for a person without a passkey that counts */
async function requirePasskey(ctx: Context, userId: string): Promise<void> {
  const [found] = await ctx.db.all<{ has: number }>(
    sql`SELECT EXISTS (SELECT 1 FROM ${passkeys} WHERE user_id = ${userId}) AS has`,
  );
  if (!found!.has || !arePasskeysOn(ctx.settings))
    throw new AppError("forbidden", "A second factor is required here: an administrator can reset yours");
}
