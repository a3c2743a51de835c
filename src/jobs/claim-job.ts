import { sql } from "drizzle-orm";
import type { Services } from "../context.ts";
import { newId } from "../lib/id.ts";
import type { Job } from "./job-handler.ts";
import { jobLimits, leaseMs } from "./limits.ts";
import type { JobKind } from "./tables.ts";

/** A job with the lease that its runner holds. */
export interface HeldJob extends Job {
  lease: string;
}

interface ClaimedRow {
  id: string;
  subject: string;
  user_id: string | null;
  attempts: number;
  deaths: number;
  deadline: number;
}

/**
 * Takes the next job that is due, if there is room for one more: one statement, so that no two get the same. Undefined where
 * there is none.
 */
export async function claimJob(services: Pick<Services, "db">, kind: JobKind): Promise<HeldJob | undefined> {
  const lease = newId();
  const now = Date.now();
  const { all, person } = jobLimits[kind];
  const running = sql`FROM jobs r WHERE r.kind = ${kind} AND r.lease_until > ${now}`;
  const [row] = await services.db.all<ClaimedRow>(sql`
    UPDATE jobs SET lease = ${lease}, lease_until = ${now + leaseMs}, attempts = attempts + 1
    WHERE (SELECT count(*) ${running}) < ${all} AND id = (
      SELECT j.id FROM jobs j INDEXED BY jobs_turn
      WHERE j.kind = ${kind} AND j.due_at <= ${now} AND j.deadline > ${now} AND (j.lease_until IS NULL OR j.lease_until <= ${now})
        AND coalesce(j.user_id, '') NOT IN (
          SELECT coalesce(r.user_id, '') ${running} GROUP BY r.user_id HAVING count(*) >= ${person})
      ORDER BY j.turn LIMIT 1)
    RETURNING id, subject, user_id, attempts, deaths, deadline`);
  if (!row) return undefined;
  const { user_id: userId, ...job } = row;
  return { ...job, kind, userId, lease };
}
