import { DurableObject } from "cloudflare:workers";
import type { DirectoryChange, DirectoryCursor } from "../../src/channels/live/online-members.ts";
import { newId } from "../../src/lib/id.ts";
import type { Env } from "../env.ts";

/** Milliseconds for which it is remembered who was asked for and not there. */
const recentMs = 60_000;
/** The latest comings and goings, for those who follow them. */
const maxChanges = 10_000;

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
  readonly #life = newId();
  /** The last of them has the number `#at`. */
  #changes: DirectoryChange[] = [];
  #at = 0;

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
      this.ctx.storage.sql.exec("INSERT OR IGNORE INTO people VALUES (?)", userId);
      this.#people.add(userId);
      this.#changed({ userId, isOpen: true });
    }
    const missedAt = this.#missed.get(userId) ?? 0;
    return Date.now() - missedAt < recentMs;
  }

  remove(userId: string): void {
    if (!this.#people.has(userId)) return;
    this.ctx.storage.sql.exec("DELETE FROM people WHERE user_id = ?", userId);
    this.#people.delete(userId);
    this.#changed({ userId, isOpen: false });
  }

  /** Those of the people who have something open, and from where on to follow them with `since`. */
  open(userIds: readonly string[]): { open: string[]; cursor: DirectoryCursor } {
    return { open: userIds.filter((userId) => this.#people.has(userId)), cursor: this.#cursor };
  }

  /** Who has come and gone since then, in this order. Undefined where that is not known any more: `open` says it anew. */
  since({ life, at }: DirectoryCursor): { changes: DirectoryChange[]; cursor: DirectoryCursor } | undefined {
    const missed = this.#at - at;
    if (life !== this.#life || missed > this.#changes.length) return undefined;
    return { changes: missed === 0 ? [] : this.#changes.slice(-missed), cursor: this.#cursor };
  }

  /** Those of the people who have something open. */
  among(userIds: readonly string[]): string[] {
    const now = Date.now();
    for (const [userId, missedAt] of this.#missed) {
      if (now - missedAt < recentMs) break;
      this.#missed.delete(userId);
    }
    return userIds.filter((userId) => {
      if (this.#people.has(userId)) return true;
      this.#missed.delete(userId);
      this.#missed.set(userId, now);
      return false;
    });
  }

  get #cursor(): DirectoryCursor {
    return { life: this.#life, at: this.#at };
  }

  #changed(change: DirectoryChange): void {
    this.#at += 1;
    this.#changes.push(change);
    // Cut now and then, not at each change.
    if (this.#changes.length >= 2 * maxChanges) this.#changes = this.#changes.slice(-maxChanges);
  }
}
