import { and, eq, ne, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { requireAdmin, type Role, type User } from "../../access.ts";
import { auditRowIf } from "../../audit/audit-row.ts";
import { hashPassword, requireAcceptablePassword } from "../../auth/passwords/hash-password.ts";
import { closeLive, ownSessionId } from "../../auth/sessions/end-sessions.ts";
import { sessions } from "../../auth/sessions/tables.ts";
import { emailTaken } from "../../auth/sign-in/sign-up.ts";
import type { Context } from "../../context.ts";
import { isUniqueViolation } from "../../db/constraint.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { requireEmail } from "../email.ts";
import { changeRules, readState, requireAllowed, type ChangeState } from "./may-change-user.ts";
import { parseProfileImage } from "./parse-profile-image.ts";
import type { ListedUser, UserChange } from "./schema.ts";
import { passwords, profileImages, users } from "./tables.ts";
import { groupIdsOf, toUserObject, userColumns } from "./user-columns.ts";

const rank: Record<Role, number> = { pending: 0, user: 1, admin: 2 };

interface ParsedChange {
  role: Role | undefined;
  active: boolean | undefined;
  name: string | undefined;
  email: string | undefined;
  picture: string | undefined;
  passwordHash: string | undefined;
}

/**
 * An administrator changes somebody's account (or their own): what the body names, in one batch with its audit rows. A
 * lower role, a new password and switching off end the person's sessions; a higher role does not, so that somebody who
 * waits goes on by themselves.
 * @throws AppError `invalid_email`, `invalid_password`, `email_taken` (400); `forbidden` for the first administrator's
 * account and for the last active administrator's (403); `not_found`.
 */
export async function updateUser(ctx: Context, userId: string, input: UserChange): Promise<ListedUser> {
  const actor = requireAdmin(ctx);
  const change = await parseChange(ctx, input, userId);
  const { role, active } = change;
  const losesAdmin = (role !== undefined && role !== "admin") || active === false;
  const { state, allowed } = changeRules(actor, userId, losesAdmin);
  const results = await ctx.db
    .batch([
      readState(ctx, state),
      endSessions(ctx, actor, userId, change, allowed),
      ...auditRows(ctx, userId, change, allowed),
      ...writes(ctx, userId, change, allowed),
      personNow(ctx, userId),
    ])
    .catch((error: unknown) => {
      throw isUniqueViolation(error, "users.email") ? emailTaken() : error;
    });
  requireAllowed(results[0] as ChangeState[]);
  const ended = results[1] as { id: string }[];
  const reason = active === false ? "account_inactive" : role !== undefined ? "role_changed" : "password_changed";
  if (ended.length > 0 || active === false) {
    await closeLive(ctx, userId, reason, reason === "password_changed" ? ended.map((session) => session.id) : undefined);
  }
  const [row] = results.at(-1) as Awaited<ReturnType<typeof personNow>>;
  return { ...toUserObject(ctx, row!), group_ids: JSON.parse(row!.groupIds) as string[] };
}

function personNow(ctx: Context, userId: string) {
  return ctx.db.select({ ...userColumns, groupIds: groupIdsOf }).from(users).where(eq(users.id, userId));
}

async function parseChange(ctx: Context, input: UserChange, userId: string): Promise<ParsedChange> {
  if (input.password) requireAcceptablePassword(input.password);
  return {
    role: input.role,
    active: input.active ?? input.is_active,
    name: input.name,
    email: input.email === undefined ? undefined : requireEmail(input.email),
    picture: input.profile_image_url === undefined ? undefined : parseProfileImage(input.profile_image_url, userId),
    passwordHash: input.password ? await hashPassword(input.password, ctx.passwordCost) : undefined,
  };
}

/** Runs before the change, as its conditions look at what was. */
function endSessions(ctx: Context, actor: User, userId: string, { role, active, passwordHash }: ParsedChange, allowed: SQL) {
  const lowered = role === undefined ? sql`0` : sql`(SELECT CASE role WHEN 'admin' THEN 2 WHEN 'user' THEN 1 ELSE 0 END FROM ${users} WHERE id = ${userId}) > ${rank[role]}`;
  const off = active === false ? sql`1` : sql`0`;
  // Who changes their own password stays signed in where they do it.
  const reset = passwordHash === undefined ? sql`0` : actor.id === userId ? sql`${sessions.id} <> ${ownSessionId(actor) ?? ""}` : sql`1`;
  return ctx.db.delete(sessions).where(and(eq(sessions.userId, userId), allowed, sql`(${lowered} OR ${off} OR ${reset})`)).returning({ id: sessions.id });
}

function auditRows(ctx: Context, userId: string, change: ParsedChange, allowed: SQL): BatchItem<"sqlite">[] {
  const row = (action: string, detail: SQL | Record<string, unknown>, differs: SQL) =>
    auditRowIf(ctx, { action, targetType: "user", targetId: userId, detail }, sql`${allowed} AND EXISTS (SELECT 1 FROM ${users} WHERE id = ${userId} AND ${differs})`);
  const fromTo = (column: string, to: unknown) => sql`(SELECT json_object('from', ${sql.raw(column)}, 'to', ${to}) FROM ${users} WHERE id = ${userId})`;
  const { role, active, name, email, picture, passwordHash } = change;
  return [
    ...(role === undefined ? [] : [row("user.role_updated", fromTo("role", role), ne(users.role, role))]),
    ...(active === undefined ? [] : [row(active ? "user.activated" : "user.deactivated", {}, ne(users.active, active))]),
    ...(name === undefined ? [] : [row("user.name_updated", fromTo("name", name), ne(users.name, name))]),
    ...(email === undefined ? [] : [row("user.email_updated", fromTo("email", email), ne(users.email, email))]),
    ...(picture === undefined ? [] : [row("user.picture_updated", {}, sql`1`)]),
    ...(passwordHash === undefined ? [] : [row("user.password_reset", {}, sql`1`)]),
  ];
}

function writes(ctx: Context, userId: string, { role, active, name, email, picture, passwordHash }: ParsedChange, allowed: SQL): BatchItem<"sqlite">[] {
  const now = ctx.now();
  const values = { updatedAt: now, ...(role && { role }), ...(active === undefined ? {} : { active }), ...(name && { name }), ...(email && { email }) };
  return [
    ...(picture === undefined ? [] : [ctx.db.delete(profileImages).where(and(eq(profileImages.userId, userId), allowed))]),
    ...(picture ? [insertWhere(ctx.db, profileImages, { userId, url: picture, updatedAt: now }, allowed)] : []),
    ...(passwordHash === undefined
      ? []
      : [
          ctx.db.delete(passwords).where(and(eq(passwords.userId, userId), allowed)),
          insertWhere(ctx.db, passwords, { userId, hash: passwordHash, updatedAt: now }, allowed),
        ]),
    // Last: everything above asks for what was before.
    ctx.db.update(users).set(values).where(and(eq(users.id, userId), allowed)),
  ];
}
