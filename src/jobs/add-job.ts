import { sql, type SQL } from "drizzle-orm";
import type { Services } from "../context.ts";
import { newId } from "../lib/id.ts";
import { nextTurn } from "./next-turn.ts";
import { jobs, type JobKind } from "./tables.ts";

export interface NewJob {
  kind: JobKind;
  /** What it is about, see `jobs`. */
  subject: string;
  /** For whom; null for the service's own. */
  userId: string | null;
  /** When it has failed whatever happens; epoch milliseconds. */
  deadline: number;
  /** Added only where this holds; always, without one. */
  condition?: SQL;
}

/**
 * Adds a job, in a batch with the change that requires it; call `services.jobs.wake(kind)` afterwards to start it
 * immediately. An existing job starts again: its runner loses the lease, and notices within seconds.
 */
export function addJobStatement(services: Pick<Services, "db">, job: NewJob) {
  const { kind, subject, userId, deadline, condition = sql`TRUE` } = job;
  const now = Date.now();
  return services.db
    .insert(jobs)
    .select(
      sql`SELECT ${newId()}, ${kind}, ${subject}, ${userId}, ${nextTurn(kind, userId)}, 0, 0, NULL, NULL, ${now}, ${deadline}, ${Math.floor(now / 1000)} WHERE ${condition}`,
    )
    .onConflictDoUpdate({
      target: [jobs.kind, jobs.subject],
      set: {
        dueAt: now,
        deadline,
        userId,
        // What was begun has had its turn, and what is somebody else's now waits among theirs.
        turn: sql`CASE WHEN jobs.lease IS NULL AND jobs.attempts = 0 AND jobs.user_id IS excluded.user_id THEN jobs.turn ELSE excluded.turn END`,
        attempts: 0,
        deaths: 0,
        lease: null,
        leaseUntil: null,
      },
    });
}
