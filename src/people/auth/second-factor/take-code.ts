import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { releasePasswordChecks, reservePasswordCheck } from "../sign-in/slow-down.ts";
import { hasAnyFactor } from "./has-factor.ts";
import { hashRecoveryCode } from "./recovery-codes.ts";
import { recoveryCodes, totpSecrets } from "./tables.ts";
import { stepOfCode } from "./totp.ts";

/** Wrong codes and passkeys of one person before each next one has to wait for a minute: a million codes are not guessed so. */
export const maxFactorTries = 10;

export function tooManyTries(): AppError {
  return new AppError("too_many_requests", "Too many wrong codes: wait a minute before the next try", {
    retryAfter: 60,
  });
}

/** A factor that is right, and is used by the first statement of the batch that does something with it. */
export interface TakenFactor {
  /** Changes one row, or none where it was used in the meantime: `changes() > 0` for the next statement. */
  use: ReturnType<typeof useStatement>;
  kind: "totp" | "recovery" | "passkey";
  /** Gives the try back: for the same batch. */
  release: ReturnType<typeof releasePasswordChecks>;
}

/**
 * Checks a code of the person's app, or a recovery code. Tries are limited, however many come at once.
 * @throws AppError `invalid_credentials` for a wrong code, `too_many_requests`
 */
export async function takeCode(ctx: Context, userId: string, typed: string): Promise<TakenFactor> {
  const bucket = `factor:${userId}`;
  const codeHash = await hashRecoveryCode(typed);
  const person = sql`${userId}`;
  const [taken, [found]] = await ctx.db.batch([
    reservePasswordCheck(ctx, bucket, maxFactorTries, hasAnyFactor(person)),
    ctx.db.all<{ has: number; sealed: string | null; last_step: number | null; is_recovery: number }>(sql`SELECT
      ${hasAnyFactor(person)} AS has,
      (SELECT sealed_secret FROM ${totpSecrets} WHERE user_id = ${userId} AND confirmed_at IS NOT NULL) AS sealed,
      (SELECT last_step FROM ${totpSecrets} WHERE user_id = ${userId} AND confirmed_at IS NOT NULL) AS last_step,
      EXISTS (SELECT 1 FROM ${recoveryCodes} WHERE user_id = ${userId} AND code_hash = ${codeHash}) AS is_recovery`),
  ]);
  if (!found!.has) throw wrongCode();
  if (taken.length === 0) throw tooManyTries();
  const release = releasePasswordChecks(ctx, [bucket]);
  if (found!.is_recovery === 1) return { kind: "recovery", use: useStatement(ctx, userId, { codeHash }), release };
  const { sealed, last_step: lastStep } = found!;
  const digits = typed.replaceAll(/\s/g, "");
  const step =
    sealed !== null && /^\d{6}$/.test(digits) ? stepOfCode(await ctx.vault.open(sealed), digits, ctx.now()) : undefined;
  if (step === undefined || step <= lastStep!) throw wrongCode();
  return { kind: "totp", use: useStatement(ctx, userId, { step }), release };
}

function useStatement(ctx: Context, userId: string, by: { codeHash: string } | { step: number }) {
  const statement: SQL =
    "step" in by
      ? sql`UPDATE ${totpSecrets} SET last_step = ${by.step} WHERE user_id = ${userId} AND last_step < ${by.step} AND confirmed_at IS NOT NULL`
      : sql`DELETE FROM ${recoveryCodes} WHERE user_id = ${userId} AND code_hash = ${by.codeHash}`;
  return ctx.db.run(statement);
}

export function wrongCode(): AppError {
  return new AppError("invalid_credentials", "Wrong code. A code works once; wait for the next one", { param: "code" });
}
