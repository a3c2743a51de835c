import { type SQL, sql } from "drizzle-orm";
import { requireManager, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { auditRowIf } from "../audit/audit-row.ts";
import { requireEmail } from "../email.ts";
import { grantedBeyond, requireNone } from "../groups/granted-leaves.ts";
import { groups } from "../groups/tables.ts";
import { linkAddress, newLinkToken } from "../link-token.ts";
import { organizations } from "../organizations/tables.ts";
import { managedBy, stillManages } from "../still-manages.ts";
import { users } from "../users/tables.ts";
import { invitationMail } from "./invitation-mail.ts";
import { ofManaged, selectInvitations, toInvitation } from "./invitation-rows.ts";
import type { Invitation, MadeInvitation, NewInvitation } from "./schema.ts";
import { invitations } from "./tables.ts";
import { fitsHome } from "./usable-invitation.ts";

/** Open invitations that one administrator may have. */
const maxOpen = 1000;

/** The invitations that the caller manages, newest first; those that are over for as long as they are kept. */
export async function listInvitations(ctx: Context): Promise<{ invitations: Invitation[] }> {
  const actor = requireManager(ctx);
  const rows = await selectInvitations(ctx, ofManaged(actor));
  return { invitations: rows.map(toInvitation) };
}

interface State {
  may: number;
  home: number;
  fitting: number;
  beyond: string;
  taken: number;
  open: number;
}

/**
 * Makes a link with which one person makes their own account. An organization's administrators invite members into
 * their organization and its groups, and grant nothing that they do not have.
 * @throws AppError `invalid_email`, `email_taken` (400); `forbidden`; `validation_failed` for an unknown organization or group;
 *   `conflict` where it is to be sent and no mail server is set; `limit_reached`
 */
export async function createInvitation(ctx: Context, input: NewInvitation): Promise<MadeInvitation> {
  const actor = requireManager(ctx);
  if (actor.role !== "admin" && input.role === "admin")
    throw new AppError("forbidden", "Only a system administrator can invite a system administrator", { param: "role" });
  const email = input.email.trim() === "" ? null : requireEmail(input.email);
  const isSent = input.send;
  if (isSent && email === null) throw invalid("email", "an address to send it to");
  if (isSent) ctx.registry.requireMail(ctx);
  const home = actor.role === "admin" ? (input.organization_id ?? null) : actor.organizationId;
  if (actor.role !== "admin" && (input.organization_id ?? home) !== home)
    throw invalid("organization_id", "no such organization");
  const groupIds = [...new Set(input.group_ids)];
  const id = newId();
  const { token, tokenHash } = await newLinkToken();
  const link = linkAddress(ctx.origin, "/join", token);
  const expiresAt = ctx.now() + input.days * 86_400;
  const { allowed, state } = rulesOf(ctx, actor, { email, home, groupIds });
  const isMade = sql`EXISTS (SELECT 1 FROM ${invitations} WHERE id = ${id})`;
  const mail = isSent
    ? await ctx.registry.mailStatements(ctx, {
        kind: "invitation",
        to: email!,
        userId: null,
        expiresAt: expiresAt * 1000,
        condition: isMade,
        ...invitationMail({ name: ctx.settings.WEBUI_NAME, inviter: actor.name, link, days: input.days }),
      })
    : [];
  const results = await runBatch(ctx.db, [
    ctx.db.all<State>(state),
    insertWhere(
      ctx.db,
      invitations,
      {
        id,
        tokenHash,
        email,
        role: input.role,
        organizationId: home,
        groupIds,
        invitedBy: actor.id,
        createdAt: ctx.now(),
        expiresAt,
      },
      allowed,
    ),
    auditRowIf(ctx, {
      action: "invitation.created",
      targetType: "invitation",
      targetId: id,
      organizationId: home,
      detail: {
        email,
        role: input.role,
        organization_id: home,
        group_ids: groupIds,
        expires_at: expiresAt,
        sent: isSent,
      },
    }),
    ...mail,
    selectInvitations(ctx, sql`i.id = ${id}`),
  ]);
  requirePossible((results[0] as State[])[0]!, groupIds.length);
  const [row] = results.at(-1) as Awaited<ReturnType<typeof selectInvitations>>;
  if (isSent) ctx.registry.wakeMail(ctx);
  return { invitation: toInvitation(row!), link, is_sent: isSent };
}

function rulesOf(
  ctx: Context,
  actor: User,
  { email, home, groupIds }: { email: string | null; home: string | null; groupIds: string[] },
): { allowed: SQL; state: SQL } {
  const may = stillManages(actor);
  const hasHome =
    home === null ? sql`1` : sql`EXISTS (SELECT 1 FROM ${organizations} WHERE id = ${home} AND active = 1)`;
  const fitting = sql`(SELECT count(*) FROM ${groups} g WHERE g.id IN (SELECT value FROM json_each(${JSON.stringify(groupIds)}))
    AND ${fitsHome(sql`g.organization_id`, sql`${home}`)} AND ${managedBy(actor, sql`g.organization_id`)})`;
  const beyond = sql`(SELECT json_group_array(value) FROM (${sql.join(
    [
      sql`SELECT NULL AS value WHERE 0`,
      ...groupIds.map((id) => sql`SELECT value FROM json_each(${grantedBeyond(actor, id)})`),
    ],
    sql` UNION `,
  )}))`;
  const taken = sql`EXISTS (SELECT 1 FROM ${users} WHERE email = ${email})`;
  const open = sql`(SELECT count(*) FROM ${invitations} WHERE invited_by = ${actor.id} AND used_at IS NULL
    AND revoked_at IS NULL AND expires_at > ${ctx.now()})`;
  return {
    allowed: sql`(${may} AND ${hasHome} AND ${fitting} = ${groupIds.length} AND ${beyond} = '[]' AND NOT ${taken} AND ${open} < ${maxOpen})`,
    state: sql`SELECT ${may} AS may, ${hasHome} AS home, ${fitting} AS fitting, ${beyond} AS beyond, ${taken} AS taken, ${open} AS open`,
  };
}

function requirePossible(state: State, groupCount: number): void {
  if (!state.may) throw new AppError("forbidden", "Only an administrator can do this");
  if (!state.home) throw invalid("organization_id", "no active organization has this id");
  if (state.fitting < groupCount)
    throw invalid("group_ids", "some of these groups are unknown or do not belong to the organization");
  requireNone(state.beyond);
  if (state.taken)
    throw new AppError("email_taken", "An account with this e-mail address already exists", { param: "email" });
  if (state.open >= maxOpen)
    throw new AppError("limit_reached", `You have ${maxOpen} open invitations: take some back first`);
}

function invalid(param: string, message: string): AppError {
  return new AppError("validation_failed", `${param}: ${message}`, { param, issues: [{ path: param, message }] });
}

/**
 * Takes an invitation back: its link opens nothing from now on.
 * @throws AppError `forbidden`; `not_found`; `conflict` for one that was used
 */
export async function revokeInvitation(ctx: Context, id: string): Promise<Invitation> {
  const actor = requireManager(ctx);
  const now = ctx.now();
  const managed = sql`id = ${id} AND ${managedBy(actor, sql`organization_id`)} AND ${stillManages(actor)}`;
  const [, , [row]] = await ctx.db.batch([
    ctx.db
      .update(invitations)
      .set({ revokedAt: now })
      .where(sql`${managed} AND used_at IS NULL AND revoked_at IS NULL`),
    auditRowIf(ctx, {
      action: "invitation.revoked",
      targetType: "invitation",
      targetId: id,
      organizationId: sql`(SELECT organization_id FROM ${invitations} WHERE id = ${id})`,
      detail: sql`(SELECT json_object('email', email, 'role', role, 'invited_by', invited_by) FROM ${invitations} WHERE id = ${id})`,
    }),
    selectInvitations(ctx, sql`i.id = ${id} AND ${ofManaged(actor)}`),
  ]);
  if (!row) throw new AppError("not_found", "No such invitation");
  if (row.state === "used") throw new AppError("conflict", "This invitation was used: deactivate the account instead");
  return toInvitation(row);
}
