import { eq } from "drizzle-orm";
import { requireSession, type User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
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

/**
 * Checks the caller's own password before something is changed: the browser may be somebody else's.
 * @returns the statement that gives the try back, in an object because it would run when it is awaited, for the batch of the change
 * @throws AppError `incorrect_password`, `too_many_requests`, `password_auth_disabled`
 */
export async function confirmPassword(ctx: Context, user: User, password: string) {
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
  return { release: releasePasswordChecks(ctx, [bucket]) };
}
