import { and, eq, isNotNull, lt, not, sql } from "drizzle-orm";
import { anonymous } from "../access.ts";
import type { Services } from "../context.ts";
import { newId } from "../lib/id.ts";
import { auditRowIf } from "./audit/audit-row.ts";
import { usedChallenges } from "./auth/passkeys/tables.ts";
import { passwordResets } from "./auth/password-reset/tables.ts";
import { signInSteps } from "./auth/second-factor/tables.ts";
import { sessions } from "./auth/sessions/tables.ts";
import { networkLifetimeSeconds } from "./auth/sign-in/known-network.ts";
import { forgottenAfterSeconds } from "./auth/sign-in/slow-down.ts";
import { signInFailures, signInNetworks } from "./auth/sign-in/tables.ts";
import { isHeld } from "./holds/is-held.ts";
import { invitations } from "./invitations/tables.ts";
import { users } from "./users/tables.ts";

/** How long somebody who signed up waits to be activated, in seconds. */
export const maxWaitingSeconds = 7 * 86_400;
/** Invitations are listed for so long after their end, in seconds. */
const invitationsKeptSeconds = 30 * 86_400;
/** Accounts that are deleted at a time. */
const atOnce = 50;

type SweepServices = Pick<Services, "db" | "now" | "live">;

/**
 * Deletes what has expired: sessions, with what they have open, links, old failed sign-ins, networks, and accounts that nobody activated.
 * One batch, and one for each of these accounts.
 */
export async function sweepIdentity(services: SweepServices): Promise<void> {
  const { db, live } = services;
  const now = services.now();
  const [ended, , , , , , , waiting] = await db.batch([
    db.delete(sessions).where(lt(sessions.expiresAt, now)).returning({ userId: sessions.userId }),
    db.delete(signInFailures).where(lt(signInFailures.updatedAt, now - forgottenAfterSeconds)),
    db.delete(passwordResets).where(lt(passwordResets.expiresAt, now)),
    db.delete(signInSteps).where(lt(signInSteps.expiresAt, now)),
    db.delete(usedChallenges).where(lt(usedChallenges.expiresAt, now)),
    db.delete(invitations).where(lt(invitations.expiresAt, now - invitationsKeptSeconds)),
    db.delete(signInNetworks).where(lt(signInNetworks.usedAt, now - networkLifetimeSeconds)),
    db
      .select({ id: users.id })
      .from(users)
      .where(and(lt(users.waitingSince, now - maxWaitingSeconds), not(isHeld(sql`${users.id}`))))
      .limit(atOnce),
  ]);
  for (const { id } of waiting) await deleteWaiting(services, id);
  const changed = new Set([...ended.map(({ userId }) => userId), ...waiting.map(({ id }) => id)]);
  if (changed.size > 0) await live.recheck([...changed]);
}

/** Nothing belongs to such an account, because it may do nothing. It stays if it was activated by now. */
async function deleteWaiting({ db, now }: SweepServices, id: string): Promise<void> {
  const detail = sql`(SELECT json_object('name', name, 'email', email, 'role', role, 'reason', 'never_activated') FROM ${users} WHERE id = ${id})`;
  const organizationId = sql`(SELECT organization_id FROM ${users} WHERE id = ${id})`;
  const stillWaits = and(eq(users.id, id), isNotNull(users.waitingSince));
  await db.batch([
    auditRowIf(
      { actor: anonymous, db, requestId: newId(), now },
      { action: "user.deleted", targetType: "user", targetId: id, organizationId, detail },
      sql`EXISTS (SELECT 1 FROM ${users} WHERE ${stillWaits})`,
    ),
    db.delete(users).where(stillWaits),
  ]);
}
