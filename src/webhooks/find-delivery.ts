import { eq, sql } from "drizzle-orm";
import type { Services } from "../context.ts";
import { users } from "../people/users/tables.ts";
import { webhookDeliveries, webhookEndpoints } from "./tables.ts";

export type EndpointRow = typeof webhookEndpoints.$inferSelect;

/** A delivery with where it goes. */
export interface FoundDelivery extends Pick<
  typeof webhookDeliveries.$inferSelect,
  "id" | "event" | "payload" | "state" | "replayOf" | "attempts" | "nextAttemptAt"
> {
  endpoint: EndpointRow;
  /** Whether its owner, if it has one, may use the service. */
  isOwnerActive: boolean;
}

/** One round trip. Undefined where it, or its owner, is gone. */
export async function findDelivery({ db }: Pick<Services, "db">, id: string): Promise<FoundDelivery | undefined> {
  const [row] = await db
    .select({
      delivery: webhookDeliveries,
      endpoint: webhookEndpoints,
      isOwnerActive: sql<number>`(${webhookEndpoints.userId} IS NULL OR EXISTS (
        SELECT 1 FROM ${users} WHERE ${users.id} = ${webhookEndpoints.userId} AND ${users.active} = 1 AND ${users.role} <> 'pending'))`,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(eq(webhookDeliveries.id, id));
  return row && { ...row.delivery, endpoint: row.endpoint, isOwnerActive: row.isOwnerActive === 1 };
}
