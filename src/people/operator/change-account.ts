import { eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { auditRow } from "../audit/audit-row.ts";
import { droppedResets, resetStatements as linkStatements } from "../auth/password-reset/make-reset-link.ts";
import type { ResetLink } from "../auth/password-reset/schema.ts";
import { resetStatements } from "../auth/second-factor/reset-factor.ts";
import { closeLive } from "../auth/sessions/end-sessions.ts";
import { sessions } from "../auth/sessions/tables.ts";
import { requirePasswordAuth } from "../auth/sign-in/require-password-auth.ts";
import { requireEmail } from "../email.ts";
import { organizationOf } from "../users/organization-of.ts";
import { passwords, users } from "../users/tables.ts";
import { newPassword } from "./new-password.ts";
import { requireOperator } from "./operator-gate.ts";
import type { PasswordReset } from "./schema.ts";

/**
 * Sets a password, the given one or a new one, and ends the person's sessions.
 * @throws AppError `invalid_email`, `invalid_password` (400); `not_found`
 */
export async function resetPassword(ctx: Context, input: PasswordReset): Promise<{ email: string; password?: string }> {
  requireOperator(ctx);
  const { id, email } = await findPerson(ctx, input.email);
  const { hash, made } = await newPassword(ctx, input.password);
  const now = ctx.now();
  await ctx.db.batch([
    ctx.db
      .insert(passwords)
      .values({ userId: id, hash, updatedAt: now })
      .onConflictDoUpdate({ target: passwords.userId, set: { hash, updatedAt: now } }),
    ctx.db.delete(sessions).where(eq(sessions.userId, id)),
    droppedResets(ctx, id),
    auditRow(ctx, { action: "user.password_reset", ...targetOf(id) }),
  ]);
  await closeLive(ctx, id, "password_changed");
  return { email, ...(made === undefined ? {} : { password: made }) };
}

/**
 * Makes a link with which the person sets a new password.
 * @param origin where the service is reached
 * @throws AppError `invalid_email`, `not_found`; `password_auth_disabled`
 */
export async function makeOperatorLink(
  ctx: Context,
  input: string,
  origin: string,
): Promise<ResetLink & { email: string }> {
  requireOperator(ctx);
  requirePasswordAuth(ctx);
  const { id, email } = await findPerson(ctx, input);
  const reset = { userId: id, way: "operator", createdBy: null, condition: sql`1` } as const;
  const { link, expiresAt, statements } = await linkStatements(ctx, origin, reset);
  await ctx.db.batch([...statements]);
  return { email, link, expires_at: expiresAt };
}

/**
 * Removes the second factor of a person who has lost it.
 * @throws AppError `invalid_email`, `not_found`
 */
export async function resetOperatorFactor(ctx: Context, input: string): Promise<{ email: string }> {
  requireOperator(ctx);
  const { id, email } = await findPerson(ctx, input);
  await ctx.db.batch([...resetStatements(ctx, id, sql`1`)]);
  await ctx.live.recheck([id]);
  return { email };
}

/**
 * Makes somebody a system administrator, and their account active.
 * @throws AppError `invalid_email`, `not_found`
 */
export async function makeAdministrator(ctx: Context, input: string): Promise<{ email: string; role: "admin" }> {
  requireOperator(ctx);
  const { id, email, role, active } = await findPerson(ctx, input);
  const change = ctx.db
    .update(users)
    .set({ role: "admin", active: true, updatedAt: ctx.now() })
    .where(eq(users.id, id));
  await ctx.db.batch([
    change,
    ...(role === "admin"
      ? []
      : [auditRow(ctx, { action: "user.role_updated", ...targetOf(id), detail: { from: role, to: "admin" } })]),
    ...(active ? [] : [auditRow(ctx, { action: "user.activated", ...targetOf(id) })]),
  ]);
  await ctx.live.recheck([id]);
  return { email, role: "admin" };
}

const targetOf = (id: string) => ({ targetType: "user", targetId: id, organizationId: organizationOf(id) });

async function findPerson(ctx: Context, input: string) {
  const email = requireEmail(input);
  const [found] = await ctx.db
    .select({ id: users.id, email: users.email, kind: users.kind, role: users.role, active: users.active })
    .from(users)
    .where(eq(users.email, email));
  if (!found) throw new AppError("not_found", `No account has the address ${email}`);
  if (found.kind === "service")
    throw new AppError("conflict", `${email} is a service account: nobody can sign in to it`);
  return found;
}
