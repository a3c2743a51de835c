import { sql } from "drizzle-orm";
import type { Services } from "../context.ts";
import { webhookEndpoints } from "./tables.ts";

/** Id and `owner` of the service's own endpoint. */
export const serviceEndpoint = "service";

/**
 * Makes the service's endpoint what `WEBHOOK_URL` says, wherever that was changed: a new address begins anew, switched on and
 * without the failures of the one before. Costs nothing where nothing has changed.
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

/** What an endpoint with another address, or that is switched on again, is. */
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
