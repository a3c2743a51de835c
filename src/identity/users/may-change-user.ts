import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { users } from "./tables.ts";

/** What decides whether an administrator may change an account, read in the transaction that changes it. */
export interface ChangeState {
  actor_may: number;
  found: number;
  is_primary: number;
  leaves_admin: number;
}

/** The first administrator of all who is one still. */
const primary = sql`(SELECT id FROM ${users} WHERE role = 'admin' ORDER BY created_at, id LIMIT 1)`;

/**
 * The rules as SQL, so that two administrators who act on each other at the same moment cannot both win:
 * who acts is still an active administrator; only the primary administrator changes their own account; one active
 * administrator remains.
 * @param losesAdmin whether the target stops being an active administrator if it is one
 */
export function changeRules(actor: User, targetId: string, losesAdmin: boolean): { state: SQL; allowed: SQL } {
  const actorMay = sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${actor.id} AND role = 'admin' AND active = 1)`;
  const found = sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${targetId})`;
  const isPrimary = actor.id === targetId ? sql`0` : sql`coalesce(${primary} = ${targetId}, 0)`;
  const others = sql`EXISTS (SELECT 1 FROM ${users} WHERE role = 'admin' AND active = 1 AND id <> ${targetId})`;
  const leavesAdmin = losesAdmin ? others : sql`1`;
  return {
    state: sql`SELECT ${actorMay} AS actor_may, ${found} AS found, ${isPrimary} AS is_primary, ${leavesAdmin} AS leaves_admin`,
    allowed: sql`(${actorMay} AND ${found} AND NOT ${isPrimary} AND ${leavesAdmin})`,
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
  if (!state.found) throw new AppError("not_found", "There is no such person");
  if (state.is_primary)
    throw new AppError("forbidden", "The first administrator's account can be changed by nobody else");
  if (!state.leaves_admin)
    throw new AppError("forbidden", "There has to be one active administrator: make somebody else one first");
}
