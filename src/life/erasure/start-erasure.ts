import { sql } from "drizzle-orm";
import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { sha256Hex } from "../../lib/sha256.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { closeLive } from "../../people/auth/sessions/end-sessions.ts";
import { isHeld } from "../../people/holds/is-held.ts";
import { legalHoldError } from "../../people/holds/legal-hold-error.ts";
import { changeRules, readState, requireAllowed } from "../../people/users/may-change-user.ts";
import { getErasure } from "./erasures.ts";
import { runErasure } from "./run-erasure.ts";
import type { Erasure } from "./schema.ts";
import { erasureSteps } from "./steps.ts";

/**
 * Begins to erase a person, or goes on with what failed: the account is switched off at once, the rest is done step by step.
 * @param successorId who gets what others use
 * @throws AppError `forbidden`, `not_found`; `legal_hold`; `bad_request` for a successor who cannot have it
 */
export async function startErasure(ctx: Context, userId: string, successorId?: string): Promise<Erasure> {
  const actor = requireAdmin(ctx);
  if (actor.id === userId)
    throw new AppError("forbidden", "You cannot erase your own account: ask another administrator");
  const heir = successorId ?? actor.id;
  const { state, allowed } = changeRules(actor, userId, { losesAdmin: true });
  const subject = `former-${(await sha256Hex(userId)).slice(0, 32)}`;
  const { db } = ctx;
  const [known] = await db.all<{ id: string }>(sql`SELECT id FROM erasures WHERE user_id = ${userId}`);
  const id = known?.id ?? newId();
  const heirMay = sql`EXISTS (SELECT 1 FROM users WHERE id = ${heir} AND id <> ${userId} AND kind = 'person' AND active AND role <> 'pending'
    AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.user_id = ${heir}))`;
  const free = sql`(${allowed} AND ${heirMay} AND NOT ${isHeld(sql`${userId}`)})`;
  const [states, [may]] = await db.batch([
    readState(ctx, state),
    db.all<{ heir: number; held: number }>(sql`SELECT ${heirMay} AS heir, ${isHeld(sql`${userId}`)} AS held`),
    db.run(sql`INSERT INTO erasures (id, user_id, subject_hash, successor_id, state, step, counts, started_by, started_kind, organization_id, created_at)
      SELECT ${id}, ${userId}, ${subject}, ${heir}, 'running', ${erasureSteps[0]![0]},
        json_object('removed.sessions', (SELECT count(*) FROM sessions WHERE user_id = ${userId})),
        ${actor.id}, ${actor.credential.kind}, (SELECT organization_id FROM users WHERE id = ${userId}), ${ctx.now()} WHERE ${free}
      ON CONFLICT (user_id) DO UPDATE SET state = 'running', error = NULL, successor_id = excluded.successor_id`),
    auditRowIf(ctx, {
      action: "person.erasure_started",
      targetType: "erasure",
      targetId: id,
      organizationId: sql`(SELECT organization_id FROM users WHERE id = ${userId})`,
      detail: { subject, successor_id: heir },
    }),
    db.run(
      sql`UPDATE users SET active = 0 WHERE id = ${userId} AND EXISTS (SELECT 1 FROM erasures WHERE user_id = ${userId})`,
    ),
    db.run(
      sql`DELETE FROM sessions WHERE user_id = ${userId} AND EXISTS (SELECT 1 FROM erasures WHERE user_id = ${userId})`,
    ),
  ]);
  requireAllowed(states);
  if (may!.held) throw legalHoldError();
  if (!may!.heir)
    throw new AppError("bad_request", "Choose another active person who gets what others use", {
      param: "successor_id",
    });
  await closeLive(ctx, userId, "account_deleted");
  const started = await getErasure(ctx, id);
  ctx.waitUntil(runErasure(ctx, id));
  return started;
}
