import { eq, sql, type SQL } from "drizzle-orm";
import type { Services } from "../context.ts";
import { jobs } from "../jobs/tables.ts";
import { webhookDeliveries } from "./tables.ts";

/** So many deliveries are sent at once; the others come when they are due. */
const maxDeliveries = 2000;

/**
 * Makes deliveries that wait due now: for a batch.
 * @param condition over columns of `webhook_deliveries`
 */
export function hurryStatements({ db }: Pick<Services, "db">, condition: SQL, now: number) {
  const waiting = sql`SELECT id FROM webhook_deliveries WHERE state = 'pending' AND ${condition} ORDER BY id LIMIT ${maxDeliveries}`;
  return [
    db
      .update(jobs)
      .set({ dueAt: now })
      .where(sql`${eq(jobs.kind, "deliver")} AND ${jobs.lease} IS NULL AND ${jobs.subject} IN (${waiting})`),
    db
      .update(webhookDeliveries)
      .set({ nextAttemptAt: now })
      .where(sql`${webhookDeliveries.id} IN (${waiting}) AND ${webhookDeliveries.nextAttemptAt} > ${now}`),
  ] as const;
}
