import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Services } from "../context.ts";
import { jobs } from "../jobs/tables.ts";
import { users } from "../people/users/tables.ts";
import type { EndpointRow } from "./find-delivery.ts";
import { maxFailingMs } from "./schedule.ts";
import { endpointDisabled, webhookDisabled } from "./schema.ts";
import { webhookDeliveries, webhookEndpoints } from "./tables.ts";

export type DisabledReason = NonNullable<EndpointRow["disabledReason"]>;

/** So many deliveries are cancelled in one go; whoever takes up one of the others cancels it. */
const maxCancelled = 2000;

/** So many administrators are told at once. */
const maxTold = 100;

/**
 * Switches an endpoint off that is gone, or has taken nothing for too long, and cancels what waits for it: for the batch that
 * writes down a failed attempt, after that. The last one is for `readDisabled`.
 */
export function disableStatements(
  services: Pick<Services, "db">,
  { id, url }: Pick<EndpointRow, "id" | "url">,
  { isGone, isTest, now }: { isGone: boolean; isTest: boolean; now: number },
) {
  const { db } = services;
  const isFailing = isTest
    ? sql`FALSE`
    : sql`${webhookEndpoints.failingSince} IS NOT NULL AND ${webhookEndpoints.failingSince} <= ${now - maxFailingMs}`;
  const reason = isGone ? ("gone" as const) : ("failing" as const);
  return [
    db
      .update(webhookEndpoints)
      .set({ isEnabled: false, disabledReason: reason, disabledAt: now, pausedUntil: null, updatedAt: now })
      .where(
        sql`${eq(webhookEndpoints.id, id)} AND ${eq(webhookEndpoints.url, url)} AND ${webhookEndpoints.isEnabled} = 1
          AND (${isGone ? sql`TRUE` : isFailing})`,
      ),
    ...cancelStatements(services, id, now),
    db
      .select({ reason: webhookEndpoints.disabledReason })
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.disabledAt, now))),
  ];
}

/** Cancels what waits for an endpoint that is switched off; nothing where it is on. */
export function cancelStatements({ db }: Pick<Services, "db">, endpointId: string | SQL, now: number) {
  const waiting = sql`SELECT d.id FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
    WHERE d.endpoint_id = ${endpointId} AND d.state = 'pending' AND (e.is_enabled = 0 OR e.url = '') ORDER BY d.id LIMIT ${maxCancelled}`;
  return [
    db.delete(jobs).where(sql`${eq(jobs.kind, "deliver")} AND ${jobs.subject} IN (${waiting})`),
    db
      .update(webhookDeliveries)
      .set({ state: "cancelled", nextAttemptAt: null, finishedAt: now })
      .where(sql`${webhookDeliveries.id} IN (${waiting})`),
  ];
}

/** Why the batch has switched the endpoint off; undefined where it has not. */
export function readDisabled(result: unknown): DisabledReason | undefined {
  return (result as { reason: DisabledReason | null }[])[0]?.reason ?? undefined;
}

/** Tells its owner, or of the service's the administrators, wherever they have something open. It stays to be seen there too. */
export async function tellDisabled(
  services: Pick<Services, "db" | "live">,
  { userId }: Pick<EndpointRow, "userId">,
  reason: DisabledReason,
): Promise<void> {
  const told =
    userId === null
      ? (
          await services.db
            .select({ id: users.id })
            .from(users)
            .where(and(eq(users.role, "admin"), eq(users.active, true)))
            .limit(maxTold)
        ).map(({ id }) => id)
      : [userId];
  const data = endpointDisabled.parse({ whose: userId === null ? "service" : "own", reason });
  await Promise.all(told.map((id) => services.live.publish(id, { data: { type: webhookDisabled, data } })));
}
