import { eq, type SQL, sql } from "drizzle-orm";
import { requireAdmin } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { newId } from "../../../lib/id.ts";
import { auditRowIf } from "../../audit/audit-row.ts";
import { linkAddress, newLinkToken } from "../../link-token.ts";
import { changeRules, readState, requireAllowed } from "../../users/may-change-user.ts";
import { organizationOf } from "../../users/organization-of.ts";
import { requirePasswordAuth } from "../sign-in/require-password-auth.ts";
import type { ResetLink } from "./schema.ts";
import { passwordResets } from "./tables.ts";

/** Seconds that a link made by hand can be used. */
const lifetimeSeconds = 24 * 3600;

/**
 * Makes a link with which a person sets a new password: for those who cannot get an e-mail. Who may make it are those who may set
 * the password itself.
 * @throws AppError `forbidden`, `not_found`; `validation_failed` for a service account; `password_auth_disabled`
 */
export async function makeResetLink(ctx: Context, userId: string): Promise<ResetLink> {
  const actor = requireAdmin(ctx);
  requirePasswordAuth(ctx);
  const { state, allowed } = changeRules(actor, userId, { losesAdmin: false, isForPeople: true });
  const { link, expiresAt, statements } = await resetStatements(ctx, ctx.origin, {
    userId,
    way: "administrator",
    createdBy: actor.id,
    condition: allowed,
  });
  const [states] = await ctx.db.batch([readState(ctx, state), ...statements]);
  requireAllowed(states);
  return { link, expires_at: expiresAt };
}

interface NewReset {
  userId: string;
  way: "administrator" | "operator";
  createdBy: string | null;
  condition: SQL;
}

/** The statements of a new link, with its row of the audit log. @param origin where the service is reached */
export async function resetStatements(ctx: Context, origin: string, { condition, ...reset }: NewReset) {
  const { token, tokenHash } = await newLinkToken();
  const now = ctx.now();
  const expiresAt = now + lifetimeSeconds;
  return {
    link: linkAddress(origin, "/new-password", token),
    expiresAt,
    statements: [
      insertWhere(ctx.db, passwordResets, { ...reset, id: newId(), tokenHash, createdAt: now, expiresAt }, condition),
      auditRowIf(ctx, {
        action: "user.reset_link_created",
        targetType: "user",
        targetId: reset.userId,
        organizationId: organizationOf(reset.userId),
        detail: { expires_at: expiresAt },
      }),
    ] as const,
  };
}

/** Takes all links of the person back, for the batch that changes the password in another way. */
export function droppedResets(ctx: Pick<Context, "db">, userId: string, condition: SQL = sql`1`) {
  return ctx.db.delete(passwordResets).where(sql`${eq(passwordResets.userId, userId)} AND ${condition}`);
}
