import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { firstAdministrator, managedBy, otherAdministrator, stillManages } from "../still-manages.ts";
import { users } from "./tables.ts";

/** What decides whether an administrator may change an account, read in the transaction that changes it. */
export interface ChangeState {
  actor_may: number;
  found: number;
  is_primary: number;
  is_above: number;
  has_other_email: number;
  leaves_admin: number;
}

/** What of a change matters for whether it may be made. */
export interface Intent {
  /** Whether the target stops being an active administrator if it is one. */
  losesAdmin: boolean;
  /** Normalized; undefined where it stays. */
  email?: string | undefined;
}

/**
 * The rules as SQL, so that two administrators who act on each other at the same moment cannot both win: who acts still is
 * what let the request in; only the first administrator changes their own account; one system administrator who can sign in
 * remains. An organization's administrators find the people of their organization only, change no system administrator, and
 * no e-mail: whoever can set where a password reset or single sign-on leads can take the account over.
 */
export function changeRules(
  actor: User,
  targetId: string,
  { losesAdmin, email }: Intent,
): { state: SQL; allowed: SQL } {
  const isTarget = (condition: SQL) => sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${targetId} AND ${condition})`;
  const actorMay = stillManages(actor);
  const found = isTarget(managedBy(actor, sql`organization_id`));
  const isPrimary = actor.id === targetId ? sql`0` : sql`coalesce(${firstAdministrator} = ${targetId}, 0)`;
  const isAbove = actor.role === "admin" ? sql`0` : isTarget(sql`role = 'admin'`);
  const hasOtherEmail = actor.role === "admin" || email === undefined ? sql`0` : isTarget(sql`email <> ${email}`);
  const leavesAdmin = losesAdmin
    ? sql`(${otherAdministrator(targetId)} OR NOT ${isTarget(sql`role = 'admin'`)})`
    : sql`1`;
  return {
    state: sql`SELECT ${actorMay} AS actor_may, ${found} AS found, ${isPrimary} AS is_primary, ${isAbove} AS is_above,
      ${hasOtherEmail} AS has_other_email, ${leavesAdmin} AS leaves_admin`,
    allowed: sql`(${actorMay} AND ${found} AND NOT ${isPrimary} AND NOT ${isAbove} AND NOT ${hasOtherEmail} AND ${leavesAdmin})`,
  };
}

/** The state as a statement for the batch. */
export function readState(ctx: Context, state: SQL) {
  return ctx.db.all<ChangeState>(state);
}

/** @throws AppError `forbidden` or `not_found` where the rules did not let the change happen. */
export function requireAllowed(states: ChangeState[]): void {
  const state = states[0]!;
  if (!state.actor_may) throw new AppError("forbidden", "Only an administrator can do this");
  if (!state.found) throw new AppError("not_found", "No such person");
  if (state.is_primary && !state.is_above)
    throw new AppError("forbidden", "Only the first administrator can change the first administrator's account");
  if (state.is_above)
    throw new AppError("forbidden", "Only a system administrator can change a system administrator's account");
  if (state.has_other_email)
    throw new AppError("forbidden", "Only a system administrator can change an e-mail address");
  if (!state.leaves_admin)
    throw new AppError(
      "forbidden",
      "There must be at least one active administrator: make someone else an administrator first",
    );
}
