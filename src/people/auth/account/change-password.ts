import { and, eq, sql } from "drizzle-orm";
import { requireUser } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { auditRowIf } from "../../audit/audit-row.ts";
import { passwords } from "../../users/tables.ts";
import { droppedResets } from "../password-reset/make-reset-link.ts";
import { hashPassword, requireAcceptablePassword, verifyPassword } from "../passwords/hash-password.ts";
import { closeLive, ownSessionId } from "../sessions/end-sessions.ts";
import { sessions } from "../sessions/tables.ts";
import {
  requirePasswordCheck,
  releasePasswordChecks,
  reservePasswordCheck,
  spendPasswordChecks,
  wrongPassword,
} from "../sign-in/slow-down.ts";
import type { PasswordChange } from "./schema.ts";

/**
 * Changes the caller's password and ends all their other sessions. Guesses are limited like those on the sign-in page,
 * because the browser may be somebody else's.
 * @throws AppError `invalid_password`, `incorrect_password` (400), `too_many_requests` (429),
 *   `passwords_unavailable` (503).
 */
export async function changePassword(ctx: Context, input: PasswordChange): Promise<void> {
  const user = requireUser(ctx);
  requireAcceptablePassword(input.new_password);
  const bucket = `password:${user.id}`;
  const current = ctx.db.select({ hash: passwords.hash }).from(passwords).where(eq(passwords.userId, user.id));
  const [taken, [stored]] = await ctx.db.batch([reservePasswordCheck(ctx, bucket), current]);
  const level = requirePasswordCheck(taken);
  if (!stored)
    throw new AppError("incorrect_password", "This account has no password: it signs in through an identity provider");
  const place = { lane: "known", share: user.id } as const;
  const { right } = await spendPasswordChecks(ctx, [bucket], () =>
    verifyPassword(ctx, input.password, stored.hash, place),
  );
  if (!right) throw wrongPassword("incorrect_password", "The current password is wrong.", level);

  const hash = await spendPasswordChecks(ctx, [bucket], () => hashPassword(ctx, input.new_password, place));
  const changed = sql`EXISTS (SELECT 1 FROM ${passwords} WHERE user_id = ${user.id} AND hash = ${hash})`;
  const [, , ended, updated] = await ctx.db.batch([
    ctx.db
      .update(passwords)
      .set({ hash, updatedAt: ctx.now() })
      .where(and(eq(passwords.userId, user.id), eq(passwords.hash, stored.hash))),
    auditRowIf(ctx, { action: "user.password_changed", targetType: "user", targetId: user.id }),
    ctx.db
      .delete(sessions)
      .where(and(eq(sessions.userId, user.id), sql`${sessions.id} <> ${ownSessionId(user) ?? ""}`, changed))
      .returning({ id: sessions.id }),
    ctx.db
      .select({ hash: passwords.hash })
      .from(passwords)
      .where(and(eq(passwords.userId, user.id), eq(passwords.hash, hash))),
    releasePasswordChecks(ctx, [bucket]),
    droppedResets(ctx, user.id, changed),
  ]);
  if (updated.length === 0)
    throw new AppError("incorrect_password", "The password was changed at the same time by another request");
  await closeLive(
    ctx,
    user.id,
    "password_changed",
    ended.map((session) => session.id),
  );
}
