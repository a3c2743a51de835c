import { type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { isUniqueViolation } from "../../db/database-error.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { auditRowIf } from "../audit/audit-row.ts";
import { hashPassword, requireAcceptablePassword } from "../auth/passwords/hash-password.ts";
import { newSession } from "../auth/sessions/new-session.ts";
import { sessions } from "../auth/sessions/tables.ts";
import { originOf, placeOf, rememberNetwork, type SignInClient } from "../auth/sign-in/known-network.ts";
import { requirePasswordAuth } from "../auth/sign-in/require-password-auth.ts";
import { emailTaken } from "../auth/sign-in/sign-up.ts";
import { signedIn, startedSession, type SignedIn } from "../auth/sign-in/signed-in.ts";
import { requireEmail } from "../email.ts";
import { groupMembers } from "../groups/tables.ts";
import { newAccountRows } from "../users/new-account-rows.ts";
import { organizationOf } from "../users/organization-of.ts";
import { users } from "../users/tables.ts";
import type { AcceptedInvitation, OfferedInvitation } from "./schema.ts";
import { invitations } from "./tables.ts";
import { findInvitation, type FoundInvitation, invitationVoid } from "./usable-invitation.ts";

/**
 * What somebody with the link is told.
 * @throws AppError `not_found`, `conflict`
 */
export async function readInvitation(ctx: Context, token: string): Promise<OfferedInvitation> {
  const { email, inviter, organization, expiresAt } = await findInvitation(ctx, token);
  return { email, invited_by: inviter.name, organization, expires_at: expiresAt };
}

/**
 * Makes the account of an invitation, with the name and password that the person has chosen, and signs in. Account,
 * groups, session and the use of the link are one batch: of two people with one link, one gets an account.
 * @throws AppError `invalid_email`, `invalid_password`, `email_taken` (400); `password_auth_disabled` (403); `not_found`;
 *   `conflict`; `too_many_requests` (429); `passwords_unavailable` (503)
 */
export async function acceptInvitation(
  ctx: Context,
  input: AcceptedInvitation,
  client: SignInClient,
): Promise<SignedIn> {
  requirePasswordAuth(ctx);
  // First of all: those without a link make no work.
  const invitation = await findInvitation(ctx, input.token);
  const email = requireEmail(input.email);
  if (invitation.email !== null && invitation.email !== email)
    throw new AppError("invalid_email", `This invitation is for ${invitation.email}`, { param: "email" });
  requireAcceptablePassword(input.password);
  const origin = await originOf(ctx, email, client);
  const passwordHash = await hashPassword(ctx, input.password, placeOf(origin, false));
  const id = newId();
  const session = await newSession(ctx, id, client.userAgent);
  const results = await runBatch(ctx.db, [
    ...newAccountRows(ctx, {
      id,
      name: input.name,
      email,
      passwordHash,
      picture: "",
      role: invitation.role,
      action: "user.joined",
      home: invitation.organizationId ?? undefined,
      condition: invitation.isUsable,
    }),
    ...usedRows(ctx, invitation, id),
    insertWhere(ctx.db, sessions, session.row, exists(id)),
    ...rememberNetwork(ctx, origin, session.row),
    startedSession(ctx, session),
  ]).catch((error: unknown) => {
    throw isUniqueViolation(error, "users.email") ? emailTaken() : error;
  });
  const started = results.at(-1) as Awaited<ReturnType<typeof startedSession>>;
  if (started.length === 0) {
    // Somebody else was faster, or what it needs is gone.
    await findInvitation(ctx, input.token);
    throw invitationVoid();
  }
  ctx.registry.wakeNewUserDelivery(ctx);
  return signedIn(ctx, started, session);
}

const exists = (userId: string): SQL => sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${userId})`;

/** Marks the invitation as used by a new account and puts the account into the groups, after the rows that make it in the same batch. */
export function usedRows(
  ctx: Context,
  { id, email, groupIds, inviter }: FoundInvitation,
  userId: string,
): BatchItem<"sqlite">[] {
  const now = ctx.now();
  return [
    ctx.db
      .update(invitations)
      .set({ usedAt: now, usedBy: userId })
      .where(sql`id = ${id} AND ${exists(userId)}`),
    auditRowIf(ctx, {
      action: "invitation.used",
      targetType: "invitation",
      targetId: id,
      organizationId: organizationOf(userId),
      detail: { email, user_id: userId, invited_by: inviter.id, group_ids: groupIds },
    }),
    ctx.db
      .insert(groupMembers)
      .select(
        sql`SELECT value, ${userId}, NULL, ${now} FROM json_each(${JSON.stringify(groupIds)}) WHERE ${exists(userId)}`,
      ),
  ];
}
