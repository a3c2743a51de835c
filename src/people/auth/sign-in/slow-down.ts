import { inArray, sql, type SQL } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { AppError } from "../../../errors.ts";
import { signInFailures } from "./tables.ts";

/** Wrong passwords without consequences. */
const freeTries = 5;
/**
 * Maximum number of checked passwords during an attack: the maximum of NIST SP 800-63B-4, section 3.2.2. An attacker
 * has these and one per minute after them, while a person who mistyped can still sign in immediately.
 */
const maxChecks = 100;
/** The same from one network: a single one cannot exhaust the account's. */
export const maxNetworkChecks = 25;
/** Seconds in which one wrong password is forgotten. */
const leakSeconds = 60;
/** Longest pause that is asked for, in seconds. */
const maxPauseSeconds = 60;

/** Seconds after which an unused bucket is empty. */
export const forgottenAfterSeconds = maxChecks * leakSeconds;

/**
 * Takes one check from the bucket before the password is verified, so that a hundred concurrent guesses count as a
 * hundred. In a batch it returns the bucket with its new level, or no row if it is exhausted or the condition does not hold.
 */
export function reservePasswordCheck(ctx: Context, bucket: string, max = maxChecks, condition: SQL = sql`TRUE`) {
  const level = leaked(ctx.now());
  return insertWhere(ctx.db, signInFailures, { bucket, level: 1, updatedAt: ctx.now() }, condition)
    .onConflictDoUpdate({
      target: signInFailures.bucket,
      set: { level: sql`${level} + 1`, updatedAt: ctx.now() },
      setWhere: sql`${level} + 1 <= ${max}`,
    })
    .returning({ bucket: signInFailures.bucket, level: signInFailures.level });
}

/** Gives the checks back: correct passwords never count, nor what could not be checked. */
export function releasePasswordChecks(ctx: Context, buckets: readonly string[]) {
  return ctx.db
    .update(signInFailures)
    .set({ level: sql`max(0, ${signInFailures.level} - 1)` })
    .where(inArray(signInFailures.bucket, [...buckets]));
}

/** Runs the check that was reserved, and gives it back if hashing refuses or fails. */
export async function spendPasswordChecks<T>(
  ctx: Context,
  buckets: readonly string[],
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    await releasePasswordChecks(ctx, buckets);
    throw error;
  }
}

function leaked(now: number) {
  return sql`max(0, ${signInFailures.level} - CAST(${now} - ${signInFailures.updatedAt} AS REAL) / ${leakSeconds})`;
}

/** @throws AppError `too_many_requests` if the bucket is exhausted. */
export function requirePasswordCheck(taken: { level: number }[]): number {
  const [row] = taken;
  if (row) return Math.ceil(row.level);
  throw new AppError(
    "too_many_requests",
    `Too many wrong passwords for this address: wait ${maxPauseSeconds} seconds before the next try`,
    { retryAfter: maxPauseSeconds },
  );
}

/**
 * The error for a wrong password: the first ones say so, later ones require increasing pauses.
 * @param code the code of the first ones
 */
export function wrongPassword(
  code: "invalid_credentials" | "incorrect_password",
  message: string,
  level: number,
): AppError {
  if (level > freeTries) {
    const pause = Math.min(maxPauseSeconds, 5 * 2 ** (level - freeTries - 1));
    return new AppError("too_many_requests", `${message} Wait ${pause} seconds before the next try.`, {
      retryAfter: pause,
    });
  }
  const left = freeTries - level;
  const warning =
    left === 0
      ? " After one more wrong password you have to wait."
      : left <= 2
        ? ` ${left === 2 ? "Two more tries" : "One more try"} before a pause.`
        : "";
  return new AppError(code, message + warning, { param: "password" });
}
