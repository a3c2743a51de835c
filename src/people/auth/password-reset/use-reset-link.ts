import { eq, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { sha256Hex } from "../../../lib/sha256.ts";
import { auditRowIf } from "../../audit/audit-row.ts";
import { linkOver } from "../../link-token.ts";
import { firstAdministrator } from "../../still-manages.ts";
import { organizationOf } from "../../users/organization-of.ts";
import { passwords, users } from "../../users/tables.ts";
import { hashPassword, requireAcceptablePassword } from "../passwords/hash-password.ts";
import { closeLive } from "../sessions/end-sessions.ts";
import { sessions } from "../sessions/tables.ts";
import { type Caller, callerDetail } from "../sign-in/caller.ts";
import { requirePasswordAuth } from "../sign-in/require-password-auth.ts";
import type { OfferedReset } from "./schema.ts";
import { passwordResets } from "./tables.ts";

interface Found {
  id: string;
  user_id: string;
  email: string;
  way: string;
  expires_at: number;
}

/**
 * SQL: whether a link (`r`) can be used: it has not ended, the account is on, and the administrator who made it may still set that
 * person's password.
 */
const isUsable = (now: number) => sql`(r.expires_at > ${now}
  AND EXISTS (SELECT 1 FROM ${users} u WHERE u.id = r.user_id AND u.kind = 'person' AND u.active = 1)
  AND (r.created_by IS NULL OR (EXISTS (SELECT 1 FROM ${users} a WHERE a.id = r.created_by AND a.role = 'admin' AND a.active = 1)
    AND (r.created_by = r.user_id OR r.user_id IS NOT ${firstAdministrator}))))`;

/** @throws AppError `not_found` for a link that is unknown, used, or over */
async function findReset(ctx: Context, token: string): Promise<Found> {
  const [found] = await ctx.db
    .all<Found>(sql`SELECT r.id, r.user_id, r.way, r.expires_at, p.email FROM ${passwordResets} r
    JOIN ${users} p ON p.id = r.user_id WHERE r.token_hash = ${await sha256Hex(token)} AND ${isUsable(ctx.now())}`);
  if (!found) throw linkOver();
  return found;
}

/** Whose password a link sets. @throws AppError `not_found`; `password_auth_disabled` */
export async function readReset(ctx: Context, token: string): Promise<OfferedReset> {
  requirePasswordAuth(ctx);
  const { email, expires_at: expiresAt } = await findReset(ctx, token);
  return { email, expires_at: expiresAt };
}

/**
 * Sets the password of a link's person, ends all their sessions and takes all their links back: one batch, so a link works once.
 * Nobody is signed in by it: that takes the new password, and a second factor where the account has one.
 * @throws AppError `invalid_password` (400); `not_found`; `password_auth_disabled` (403); `too_many_requests` (429);
 *   `passwords_unavailable` (503)
 */
export async function applyReset(ctx: Context, token: string, password: string, caller: Caller): Promise<void> {
  requirePasswordAuth(ctx);
  const { id, user_id: userId, way } = await findReset(ctx, token);
  requireAcceptablePassword(password);
  const hash = await hashPassword(ctx, password, { lane: "known", share: userId });
  const now = ctx.now();
  const isThere = sql`EXISTS (SELECT 1 FROM ${passwordResets} r WHERE r.id = ${id} AND ${isUsable(now)})`;
  const isSet = sql`EXISTS (SELECT 1 FROM ${passwords} WHERE user_id = ${userId} AND hash = ${hash})`;
  const [, , , ended, , [after]] = await ctx.db.batch([
    ctx.db.delete(passwords).where(sql`${eq(passwords.userId, userId)} AND ${isThere}`),
    insertWhere(ctx.db, passwords, { userId, hash, updatedAt: now }, isThere),
    auditRowIf(
      ctx,
      {
        action: "user.password_reset",
        targetType: "user",
        targetId: userId,
        organizationId: organizationOf(userId),
        detail: { by_link: way, ...callerDetail(caller) },
      },
      isSet,
    ),
    ctx.db
      .delete(sessions)
      .where(sql`${eq(sessions.userId, userId)} AND ${isSet}`)
      .returning({ id: sessions.id }),
    ctx.db.delete(passwordResets).where(sql`${eq(passwordResets.userId, userId)} AND ${isSet}`),
    ctx.db.all<{ done: number }>(sql`SELECT ${isSet} AS done`),
  ]);
  if (!after!.done) throw linkOver();
  if (ended.length > 0) await closeLive(ctx, userId, "password_changed");
}
