import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { AppError } from "../../../errors.ts";
import { requireEmail } from "../../email.ts";
import { organizations } from "../../organizations/tables.ts";
import { passwords, users } from "../../users/tables.ts";
import { hashPassword, requireAcceptablePassword, verifyPassword } from "../passwords/hash-password.ts";
import { newSession } from "../sessions/new-session.ts";
import { sessions } from "../sessions/tables.ts";
import { bucketOf, type KnownDevice } from "./known-device.ts";
import { requirePasswordAuth } from "./require-password-auth.ts";
import type { Credentials } from "./schema.ts";
import { signedIn, startedSession, type SignedIn } from "./signed-in.ts";
import { requireCheck, returnCheck, takeCheck, wrongPassword } from "./slow-down.ts";

export interface SignInClient {
  userAgent: string;
  device: KnownDevice | undefined;
}

/**
 * Whether address and password belong together; if so, a session. The answer to a wrong password is the same, and takes
 * the same time, whether there is such an account or not.
 * @throws AppError `invalid_email`, `invalid_password`, `invalid_credentials` (400), `too_many_requests` (429), and for right
 * passwords `account_inactive` (401) and `organization_inactive` (403); `password_auth_disabled` (403).
 */
export async function signIn(ctx: Context, input: Credentials, client: SignInClient): Promise<SignedIn> {
  requirePasswordAuth(ctx);
  const email = requireEmail(input.email);
  requireAcceptablePassword(input.password);
  const bucket = await bucketOf(email, client.device);
  const [taken, [person]] = await ctx.db.batch([takeCheck(ctx, bucket), personByEmail(ctx, email)]);
  const level = requireCheck(taken);
  const { right, outdated } = await verifyPassword(input.password, person?.hash ?? null, ctx.passwordCost);
  if (!person || !right) throw wrongPassword("invalid_credentials", "Wrong e-mail or password.", level);
  if (!person.active || !person.organizationActive) {
    await returnCheck(ctx, bucket);
    if (!person.active)
      throw new AppError("account_inactive", "The account is switched off. Ask an administrator to switch it on again");
    throw new AppError("organization_inactive", "The organization is switched off");
  }

  const session = await newSession(ctx, person.id, client.userAgent);
  const hash = outdated ? await hashPassword(input.password, ctx.passwordCost) : person.hash!;
  // The password may have been changed, or the account switched off, while this one was being checked.
  const stillSo = sql`EXISTS (SELECT 1 FROM ${passwords} p JOIN ${users} u ON u.id = p.user_id WHERE u.id = ${person.id} AND u.active = 1 AND p.hash = ${person.hash})`;
  const [started, , , , found] = await ctx.db.batch([
    insertWhere(ctx.db, sessions, session.row, stillSo).returning({ id: sessions.id }),
    ctx.db
      .update(passwords)
      .set({ hash })
      .where(and(eq(passwords.userId, person.id), eq(passwords.hash, person.hash!))),
    ctx.db.update(users).set({ lastActiveAt: ctx.now() }).where(eq(users.id, person.id)),
    returnCheck(ctx, bucket),
    startedSession(ctx, session),
  ]);
  if (started.length === 0) return signIn(ctx, input, client);
  return signedIn(ctx, found, session);
}

function personByEmail(ctx: Context, email: string) {
  return ctx.db
    .select({
      id: users.id,
      active: users.active,
      organizationActive: organizations.active,
      hash: passwords.hash,
    })
    .from(users)
    .innerJoin(organizations, eq(organizations.id, users.organizationId))
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.email, email));
}
