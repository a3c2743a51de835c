import { eq, type SQL, sql } from "drizzle-orm";
import { requireAdmin } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { auditRowIf } from "../../audit/audit-row.ts";
import { changeRules, readState, requireAllowed } from "../../users/may-change-user.ts";
import { organizationOf } from "../../users/organization-of.ts";
import { passkeys } from "../passkeys/tables.ts";
import { hasAnyFactor } from "./has-factor.ts";
import { recoveryCodes, signInSteps, totpSecrets } from "./tables.ts";

/**
 * Removes the authenticator app, passkeys and recovery codes of a person who has lost them. Those may who may set the person's password.
 * @throws AppError `forbidden`, `not_found`; `validation_failed` for a service account
 */
export async function resetFactor(ctx: Context, userId: string): Promise<void> {
  const actor = requireAdmin(ctx);
  const { state, allowed } = changeRules(actor, userId, { losesAdmin: false, isForPeople: true });
  const [states] = await ctx.db.batch([readState(ctx, state), ...resetStatements(ctx, userId, allowed)]);
  requireAllowed(states);
  await ctx.live.recheck([userId]);
}

/** The statements of a reset, with its row of the audit log where there was something. */
export function resetStatements(ctx: Context, userId: string, allowed: SQL) {
  return [
    auditRowIf(
      ctx,
      {
        action: "user.second_factor_reset",
        targetType: "user",
        targetId: userId,
        organizationId: organizationOf(userId),
        detail: sql`(SELECT json_object('passkeys', count(*)) FROM ${passkeys} WHERE user_id = ${userId})`,
      },
      sql`${allowed} AND ${hasAnyFactor(sql`${userId}`)}`,
    ),
    ctx.db.delete(recoveryCodes).where(sql`${eq(recoveryCodes.userId, userId)} AND ${allowed}`),
    ctx.db.delete(signInSteps).where(sql`${eq(signInSteps.userId, userId)} AND ${allowed}`),
    ctx.db.delete(passkeys).where(sql`${eq(passkeys.userId, userId)} AND ${allowed}`),
    ctx.db.delete(totpSecrets).where(sql`${eq(totpSecrets.userId, userId)} AND ${allowed}`),
  ] as const;
}
