import { sql } from "drizzle-orm";
import type { Services } from "../context.ts";
import { webhookEndpoints } from "./tables.ts";

/** Id and `owner` of the service's own endpoint. */
export const serviceEndpoint = "service";

/**
 * Makes the service's endpoint follow `WEBHOOK_URL`, wherever that was changed: a new address is switched on and starts
 * without earlier failures. Costs nothing without a change.
 */
export function followServiceUrl(services: Pick<Services, "db">, url: string) {
  const now = Date.now();
  return services.db
    .insert(webhookEndpoints)
    .values({
      id: serviceEndpoint,
      owner: serviceEndpoint,
      url,
      sealedSecret: "",
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoUpdate({
      target: webhookEndpoints.owner,
      set: freshEndpoint(url, now),
      setWhere: sql`${webhookEndpoints.url} <> ${url}`,
    });
}

/** The fields of an endpoint with a new address, or one that is switched on again. */
export function freshEndpoint(url: string, now: number) {
  return {
    url,
    isEnabled: true,
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
    pausedUntil: null,
    updatedAt: now,
  };
}
