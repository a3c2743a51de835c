import { DurableObject } from "cloudflare:workers";
import type { Env } from "./env.ts";

/** Milliseconds for which it is remembered who was asked for and not there. */
const echo = 60_000;

/**
 * Which people have something open at their coordinators, so that a change for thousands wakes only those: waking an object
 * for everybody of an organization of 5,000 takes a minute on two cores, and all others wait meanwhile. Kept in storage,
 * because what is open outlives this object's own sleep. An entry too many costs a wake-up; the coordinator that is woken for
 * nothing takes it out.
 */
export class OpenDirectory extends DurableObject<Env> {
  readonly #people: Set<string>;
  /** When somebody was asked for who was not there, epoch milliseconds; the oldest first. */
  readonly #missed = new Map<string, number>();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { sql } = ctx.storage;
    sql.exec("CREATE TABLE IF NOT EXISTS people (user_id TEXT PRIMARY KEY) WITHOUT ROWID");
    this.#people = new Set(
      sql
        .exec<{ user_id: string }>("SELECT user_id FROM people")
        .toArray()
        .map((row) => row.user_id),
    );
  }

  /** @returns whether somebody asked for this person a moment ago: what was open by then has not heard why */
  add(userId: string): boolean {
    if (!this.#people.has(userId)) {
      this.#people.add(userId);
      this.ctx.storage.sql.exec("INSERT OR IGNORE INTO people VALUES (?)", userId);
    }
    const missedAt = this.#missed.get(userId) ?? 0;
    return Date.now() - missedAt < echo;
  }

  remove(userId: string): void {
    if (this.#people.delete(userId)) this.ctx.storage.sql.exec("DELETE FROM people WHERE user_id = ?", userId);
  }

  /** Those of the people who have something open. */
  among(userIds: readonly string[]): string[] {
    const now = Date.now();
    for (const [userId, missedAt] of this.#missed) {
      if (now - missedAt < echo) break;
      this.#missed.delete(userId);
    }
    return userIds.filter((userId) => {
      if (this.#people.has(userId)) return true;
      this.#missed.delete(userId);
      this.#missed.set(userId, now);
      return false;
    });
  }
}
