import { and, eq, sql } from "drizzle-orm";
import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { auditRowIf } from "../audit/audit-row.ts";
import { closeLive } from "../auth/sessions/end-sessions.ts";
import { grants } from "../grants/tables.ts";
import { changeRules, readState, requireAllowed } from "./may-change-user.ts";
import { organizationOf } from "./organization-of.ts";
import { users } from "./tables.ts";

/**
 * Deletes a person's account with everything that belongs only to this person: sessions, keys, chats, and grants.
 * @throws AppError `forbidden` for the caller's own account and the first administrator's (403); `not_found`.
 */
export async function deleteUser(ctx: Context, userId: string): Promise<void> {
  const actor = requireAdmin(ctx);
  if (actor.id === userId)
    throw new AppError("forbidden", "You cannot delete your own account: ask another administrator");
  const { state, allowed } = changeRules(actor, userId, { losesAdmin: true });
  const detail = sql`(SELECT json_object('name', name, 'email', email, 'role', role) FROM ${users} WHERE id = ${userId})`;
  requireAllowed(await readState(ctx, state));
  // By themselves, because there may be more than one transaction should delete; what is new since goes with the account.
  await ctx.registry.removeChats(ctx.db, userId);
  const [states] = await ctx.db.batch([
    readState(ctx, state),
    auditRowIf(
      ctx,
      { action: "user.deleted", targetType: "user", targetId: userId, organizationId: organizationOf(userId), detail },
      allowed,
    ),
    ctx.db.delete(grants).where(and(eq(grants.principalType, "user"), eq(grants.principalId, userId), allowed)),
    ctx.db.delete(users).where(and(eq(users.id, userId), allowed)),
  ]);
  requireAllowed(states);
  await closeLive(ctx, userId, "account_deleted");
  await ctx.live.recheck([userId]);
}
