import { sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { signInFailures } from "./tables.ts";

/** Wrong passwords that are nobody's business. */
const freeTries = 5;
/**
 * Passwords that are checked at all while wrong ones keep coming: the most that NIST SP 800-63B-4, section 3.2.2, allows.
 * So a guesser has these and one a minute after them, while somebody who has mistyped can still sign in at once.
 */
const budget = 100;
/** Seconds in which one wrong password is forgotten. */
const leakSeconds = 60;
/** Longest pause that is asked for, in seconds. */
const maxPauseSeconds = 60;

/** Seconds after which a bucket that nobody has touched is empty. */
export const forgottenAfterSeconds = budget * leakSeconds;

/**
 * Takes one check out of the bucket before the password is looked at, so that a hundred guesses at the same moment are a
 * hundred guesses. In a batch it returns the new level, or no row when there is none left to take.
 */
export function takeCheck(ctx: Context, bucket: string) {
  const level = leaked(ctx.now());
  return ctx.db
    .insert(signInFailures)
    .values({ bucket, level: 1, updatedAt: ctx.now() })
    .onConflictDoUpdate({
      target: signInFailures.bucket,
      set: { level: sql`${level} + 1`, updatedAt: ctx.now() },
      setWhere: sql`${level} + 1 <= ${budget}`,
    })
    .returning({ level: signInFailures.level });
}

/** Gives the check back: right passwords never count. */
export function returnCheck(ctx: Context, bucket: string) {
  return ctx.db
    .update(signInFailures)
    .set({ level: sql`max(0, ${signInFailures.level} - 1)` })
    .where(sql`${signInFailures.bucket} = ${bucket}`);
}

function leaked(now: number) {
  return sql`max(0, ${signInFailures.level} - CAST(${now} - ${signInFailures.updatedAt} AS REAL) / ${leakSeconds})`;
}

/** @throws AppError `too_many_requests` when no check was left. */
export function requireCheck(taken: { level: number }[]): number {
  const [row] = taken;
  if (row) return Math.ceil(row.level);
  throw new AppError(
    "too_many_requests",
    `Too many wrong passwords for this address: wait ${maxPauseSeconds} seconds before the next try`,
    { retryAfter: maxPauseSeconds },
  );
}

/**
 * What a wrong password is answered with: the first ones are told so, later ones are asked to wait, longer each time.
 * @param code what the first ones are called
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
