import { eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { releasePasswordChecks, reservePasswordCheck } from "../sign-in/slow-down.ts";
import { hashRecoveryCode } from "./recovery-codes.ts";
import { recoveryCodes, totpSecrets } from "./tables.ts";
import { stepOfCode } from "./totp.ts";

/** Wrong codes of one person before each next one has to wait for a minute: a million codes are not guessed so. */
const maxCodes = 10;

/** A code that is right, and is used by the first statement of the batch that does something with it. */
export interface TakenCode {
  /** Changes one row, or none where the code was used in the meantime: `changes() > 0` for the next statement. */
  use: ReturnType<typeof useStatement>;
  kind: "totp" | "recovery";
  /** Gives the try back: for the same batch. */
  release: ReturnType<typeof releasePasswordChecks>;
}

/**
 * Checks a code of the person's app, or a recovery code. Tries are limited, however many come at once.
 * @throws AppError `invalid_credentials` for a wrong code, `too_many_requests`
 */
export async function takeCode(ctx: Context, userId: string, typed: string): Promise<TakenCode> {
  const bucket = `factor:${userId}`;
  const codeHash = await hashRecoveryCode(typed);
  const [taken, [found]] = await ctx.db.batch([
    reservePasswordCheck(
      ctx,
      bucket,
      maxCodes,
      sql`EXISTS (SELECT 1 FROM ${totpSecrets} WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)`,
    ),
    ctx.db
      .select({
        sealedSecret: totpSecrets.sealedSecret,
        lastStep: totpSecrets.lastStep,
        isRecovery: sql<number>`EXISTS (SELECT 1 FROM ${recoveryCodes} WHERE user_id = ${userId} AND code_hash = ${codeHash})`,
      })
      .from(totpSecrets)
      .where(sql`${eq(totpSecrets.userId, userId)} AND confirmed_at IS NOT NULL`),
  ]);
  if (!found) throw wrongCode();
  if (taken.length === 0)
    throw new AppError("too_many_requests", "Too many wrong codes: wait a minute before the next try", {
      retryAfter: 60,
    });
  const release = releasePasswordChecks(ctx, [bucket]);
  if (found.isRecovery === 1) return { kind: "recovery", use: useStatement(ctx, userId, { codeHash }), release };
  const digits = typed.replaceAll(/\s/g, "");
  const step = /^\d{6}$/.test(digits)
    ? stepOfCode(await ctx.vault.open(found.sealedSecret), digits, ctx.now())
    : undefined;
  if (step === undefined || step <= found.lastStep) throw wrongCode();
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
