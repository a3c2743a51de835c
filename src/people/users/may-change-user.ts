import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { firstAdministrator, managedBy, otherAdministrator, stillManages } from "../still-manages.ts";
import { users } from "./tables.ts";

/** The data for deciding whether an administrator may change an account, read in the transaction of the change. */
export interface ChangeState {
  actor_may: number;
  found: number;
  is_primary: number;
  is_above: number;
  has_other_email: number;
  leaves_admin: number;
  is_other_kind: number;
}

/** The parts of a change that matter for its permission. */
export interface Intent {
  /** Whether the target stops being an active administrator if it is one. */
  losesAdmin: boolean;
  /** Normalized; undefined where it stays. */
  email?: string | undefined;
  /** The change is one that only people's accounts can have: a password. */
  isForPeople?: boolean;
  /** The change is one that only service accounts can have. */
  isForServices?: boolean;
}

/**
 * The rules as SQL, so that two administrators who act on each other at the same time cannot both succeed: the actor
 * must still have the rights of the request; only the first administrator can change their own account; one system
 * administrator who can sign in remains. An organization's administrators can change only people of their organization,
 * no system administrators, and no e-mail addresses, because control over password resets or single sign-on would give
 * control over the account.
 */
export function changeRules(
  actor: User,
  targetId: string,
  { losesAdmin, email, isForPeople = false, isForServices = false }: Intent,
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
  const isService = isTarget(sql`kind = 'service'`);
  // Its address is made up here, and says nothing of anybody.
  const hasOwnAddress = email === undefined ? sql`0` : isTarget(sql`kind = 'service' AND email <> ${email}`);
  const isOtherKind = sql`(${hasOwnAddress} OR (${isForPeople} AND ${isService}) OR (${isForServices} AND NOT ${isService}))`;
  return {
    state: sql`SELECT ${actorMay} AS actor_may, ${found} AS found, ${isPrimary} AS is_primary, ${isAbove} AS is_above,
      ${hasOtherEmail} AS has_other_email, ${leavesAdmin} AS leaves_admin,
      ${isOtherKind} AS is_other_kind`,
    allowed: sql`(${actorMay} AND ${found} AND NOT ${isPrimary} AND NOT ${isAbove} AND NOT ${hasOtherEmail} AND ${leavesAdmin} AND NOT ${isOtherKind})`,
  };
}

/** The state as a statement for the batch. */
export function readState(ctx: Context, state: SQL) {
  return ctx.db.all<ChangeState>(state);
}

/** @throws AppError `forbidden` or `not_found` if the rules prevented the change. */
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
  if (state.is_other_kind)
    throw new AppError(
      "validation_failed",
      "Nobody signs in to a service account: it has no password and keeps its address. People have no free probes",
    );
  if (!state.leaves_admin)
    throw new AppError(
      "forbidden",
      "There must be at least one active administrator: make someone else an administrator first",
    );
}
