import { DurableObject } from "cloudflare:workers";
import type { DirectoryChange, DirectoryCursor } from "../../src/channels/live/online-members.ts";
import { newId } from "../../src/lib/id.ts";
import type { Env } from "../env.ts";

/** Milliseconds for which it is remembered who was asked for and not there. */
const echoMs = 60_000;
/** The latest comings and goings, for those who follow them. */
const maxChanges = 10_000;

/** Accounts waiting for approval that may have open connections at the same time. */
const maxPendingPeople = 300;
/** Milliseconds between two questions to all of them whether they still have any. */
const askIntervalMs = 60_000;

/**
 * Which people have open connections at their coordinators, so that a change for thousands wakes only those: waking an
 * object for all 5,000 people of an organization takes a minute on two cores and delays everyone else. Stored
 * persistently, because connections outlive this object's hibernation. A superfluous entry costs a wake-up; the
 * coordinator that is woken for nothing removes it.
 */
export class OpenDirectory extends DurableObject<Env> {
  readonly #people: Set<string>;
  /** Those whose accounts wait for approval. */
  readonly #pending: Set<string>;
  /** Epoch milliseconds. */
  #askedAt = 0;
  /** Last request for each person without an entry, epoch milliseconds; the oldest first. */
  readonly #missed = new Map<string, number>();
  readonly #life = newId();
  /** The last of them has the number `#at`. */
  #changes: DirectoryChange[] = [];
  #at = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { sql } = ctx.storage;
    const load = (table: "people" | "pending") => {
      sql.exec(`CREATE TABLE IF NOT EXISTS ${table} (user_id TEXT PRIMARY KEY) WITHOUT ROWID`);
      const rows = sql.exec<{ user_id: string }>(`SELECT user_id FROM ${table}`).toArray();
      return new Set(rows.map((row) => row.user_id));
    };
    this.#people = load("people");
    this.#pending = load("pending");
  }

  /** An account that waits for approval opens its first connection. @returns whether it may */
  async admitPending(userId: string): Promise<boolean> {
    if (this.#pending.has(userId)) return true;
    if (this.#pending.size >= maxPendingPeople) await this.#askPending();
    if (this.#pending.size >= maxPendingPeople) return false;
    this.ctx.storage.sql.exec("INSERT OR IGNORE INTO pending VALUES (?)", userId);
    this.#pending.add(userId);
    return true;
  }

  /** It was approved, or has closed its last connection. */
  leavePending(userId: string): void {
    if (!this.#pending.delete(userId)) return;
    this.ctx.storage.sql.exec("DELETE FROM pending WHERE user_id = ?", userId);
  }

  /** Removes those who have left without a word, as after a restart of the service. */
  async #askPending(): Promise<void> {
    if (Date.now() - this.#askedAt < askIntervalMs) return;
    this.#askedAt = Date.now();
    const ask = async (userId: string) => {
      if (!(await this.env.SESSION_COORDINATOR.getByName(userId).hasPendingTabs())) this.leavePending(userId);
    };
    await Promise.allSettled([...this.#pending].map(ask));
  }

  /** @returns whether the directory was just asked about this person: their connections may have missed a change of rights */
  add(userId: string): boolean {
    if (!this.#people.has(userId)) {
      this.ctx.storage.sql.exec("INSERT OR IGNORE INTO people VALUES (?)", userId);
      this.#people.add(userId);
      this.#changed({ userId, isOpen: true });
    }
    const missedAt = this.#missed.get(userId) ?? 0;
    return Date.now() - missedAt < echoMs;
  }

  remove(userId: string): void {
    this.leavePending(userId);
    if (!this.#people.has(userId)) return;
    this.ctx.storage.sql.exec("DELETE FROM people WHERE user_id = ?", userId);
    this.#people.delete(userId);
    this.#changed({ userId, isOpen: false });
  }

  /** Those of the people with open connections, and a cursor to follow changes with `since`. */
  open(userIds: readonly string[]): { open: string[]; cursor: DirectoryCursor } {
    return { open: userIds.filter((userId) => this.#people.has(userId)), cursor: this.#cursor };
  }

  /** Who has come and gone since then, in this order. Undefined where that is not known any more: `open` says it again. */
  since({ life, at }: DirectoryCursor): { changes: DirectoryChange[]; cursor: DirectoryCursor } | undefined {
    const missed = this.#at - at;
    if (life !== this.#life || missed > this.#changes.length) return undefined;
    return { changes: missed === 0 ? [] : this.#changes.slice(-missed), cursor: this.#cursor };
  }

  /** Those of the people with open connections; remembers who had none. */
  among(userIds: readonly string[]): string[] {
    const now = Date.now();
    for (const [userId, missedAt] of this.#missed) {
      if (now - missedAt < echoMs) break;
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
