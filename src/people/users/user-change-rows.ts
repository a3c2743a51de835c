import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Role, User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { auditRowIf } from "../audit/audit-row.ts";
import { passwordResets } from "../auth/password-reset/tables.ts";
import { ownSessionId } from "../auth/sessions/end-sessions.ts";
import { sessions } from "../auth/sessions/tables.ts";
import { organizationOf } from "./organization-of.ts";
import { passwords, profileImages, users } from "./tables.ts";

const rank: Record<Role, number> = { pending: 0, user: 1, admin: 2 };

/** A validated change: undefined fields stay. */
export interface ParsedChange {
  role: Role | undefined;
  active: boolean | undefined;
  organizationRole: "admin" | "member" | undefined;
  name: string | undefined;
  email: string | undefined;
  picture: string | undefined;
  passwordHash: string | undefined;
  freeProbes: number | undefined;
}

/** Runs before the change, as its conditions look at what was. */
export function endedSessions(
  ctx: Context,
  actor: User,
  userId: string,
  { role, active, passwordHash }: ParsedChange,
  allowed: SQL,
) {
  const lowered =
    role === undefined
      ? sql`0`
      : sql`(SELECT CASE role WHEN 'admin' THEN 2 WHEN 'user' THEN 1 ELSE 0 END FROM ${users} WHERE id = ${userId}) > ${rank[role]}`;
  const off = active === false ? sql`1` : sql`0`;
  // Who changes their own password stays signed in where they do it.
  const reset =
    passwordHash === undefined
      ? sql`0`
      : actor.id === userId
        ? sql`${sessions.id} <> ${ownSessionId(actor) ?? ""}`
        : sql`1`;
  return ctx.db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), allowed, sql`(${lowered} OR ${off} OR ${reset})`))
    .returning({ id: sessions.id });
}

/** One row for each actual change. */
export function auditRows(ctx: Context, userId: string, change: ParsedChange, allowed: SQL): BatchItem<"sqlite">[] {
  const row = (action: string, detail: SQL | Record<string, unknown>, differs: SQL) =>
    auditRowIf(
      ctx,
      { action, targetType: "user", targetId: userId, organizationId: organizationOf(userId), detail },
      sql`${allowed} AND EXISTS (SELECT 1 FROM ${users} WHERE id = ${userId} AND ${differs})`,
    );
  const fromTo = (column: string, to: unknown) =>
    sql`(SELECT json_object('from', ${sql.raw(column)}, 'to', ${to}) FROM ${users} WHERE id = ${userId})`;
  const { role, active, organizationRole, name, email, picture, passwordHash, freeProbes } = change;
  return [
    ...(role === undefined ? [] : [row("user.role_updated", fromTo("role", role), ne(users.role, role))]),
    ...(active === undefined
      ? []
      : [row(active ? "user.activated" : "user.deactivated", {}, ne(users.active, active))]),
    ...(organizationRole === undefined
      ? []
      : [
          row(
            "user.organization_role_updated",
            fromTo("organization_role", organizationRole),
            ne(users.organizationRole, organizationRole),
          ),
        ]),
    ...(name === undefined ? [] : [row("user.name_updated", fromTo("name", name), ne(users.name, name))]),
    ...(email === undefined ? [] : [row("user.email_updated", fromTo("email", email), ne(users.email, email))]),
    ...(picture === undefined ? [] : [row("user.picture_updated", {}, sql`1`)]),
    ...(passwordHash === undefined ? [] : [row("user.password_reset", {}, sql`1`)]),
    ...(freeProbes === undefined
      ? []
      : [
          row(
            "service_account.free_probes_updated",
            fromTo("free_probes", freeProbes),
            ne(users.freeProbes, freeProbes),
          ),
        ]),
  ];
}

/** The change itself. */
export function updateStatements(
  ctx: Context,
  userId: string,
  { role, active, organizationRole, name, email, picture, passwordHash, freeProbes }: ParsedChange,
  allowed: SQL,
): BatchItem<"sqlite">[] {
  const now = ctx.now();
  const values = {
    updatedAt: now,
    ...(role && { role }),
    ...(organizationRole && { organizationRole }),
    ...(active === undefined ? {} : { active }),
    ...(freeProbes === undefined ? {} : { freeProbes }),
    ...(name && { name }),
    ...(email && { email }),
  };
  return [
    ...(picture === undefined
      ? []
      : [ctx.db.delete(profileImages).where(and(eq(profileImages.userId, userId), allowed))]),
    ...(picture ? [insertWhere(ctx.db, profileImages, { userId, url: picture, updatedAt: now }, allowed)] : []),
    ...(passwordHash === undefined
      ? []
      : [
          ctx.db.delete(passwords).where(and(eq(passwords.userId, userId), allowed)),
          insertWhere(ctx.db, passwords, { userId, hash: passwordHash, updatedAt: now }, allowed),
          ctx.db.delete(passwordResets).where(and(eq(passwordResets.userId, userId), allowed)),
        ]),
    // Last: everything above asks for what was before.
    ctx.db
      .update(users)
      .set(values)
      .where(and(eq(users.id, userId), allowed)),
  ];
}
