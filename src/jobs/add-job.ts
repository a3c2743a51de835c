import { sql, type SQL } from "drizzle-orm";
import type { Services } from "../context.ts";
import { newId } from "../lib/id.ts";
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
 * Promises work, in a batch with what makes it needed; `services.jobs.wake(kind)` afterwards, so that it begins at once. Where
 * there is such a job already it begins anew: whoever is at it loses the lease, and notices within seconds.
 */
export function addJobStatement(services: Pick<Services, "db">, job: NewJob) {
  const { kind, subject, userId, deadline, condition = sql`TRUE` } = job;
  const now = Date.now();
  const turn = sql`max(
    coalesce((SELECT max(turn) + 1 FROM jobs WHERE kind = ${kind} AND user_id IS ${userId}), 0),
    coalesce((SELECT min(turn) FROM jobs WHERE kind = ${kind}), 0))`;
  return services.db
    .insert(jobs)
    .select(
      sql`SELECT ${newId()}, ${kind}, ${subject}, ${userId}, ${turn}, 0, 0, NULL, NULL, ${now}, ${deadline}, ${Math.floor(now / 1000)} WHERE ${condition}`,
    )
    .onConflictDoUpdate({
      target: [jobs.kind, jobs.subject],
      set: { dueAt: now, deadline, userId, attempts: 0, deaths: 0, lease: null, leaseUntil: null },
    });
}
