import { and, eq, sql } from "drizzle-orm";
import type { Services } from "../context.ts";
import { newSecret } from "./signing.ts";
import { webhookEndpoints } from "./tables.ts";

type EndpointSecrets = Pick<
  typeof webhookEndpoints.$inferSelect,
  "id" | "sealedSecret" | "sealedPrevious" | "overlapUntil"
>;

/**
 * What deliveries of the endpoint are signed with, newest first; makes the first one where there is none yet. No round
 * trip where there is.
 */
export async function openSecrets(
  services: Pick<Services, "db" | "vault">,
  endpoint: EndpointSecrets,
): Promise<[string, ...string[]]> {
  const { vault } = services;
  const sealed = endpoint.sealedSecret === "" ? await firstSecret(services, endpoint.id) : endpoint.sealedSecret;
  const { sealedPrevious, overlapUntil } = endpoint;
  const isBoth = sealedPrevious !== null && overlapUntil !== null && overlapUntil > Date.now();
  const previous = isBoth ? [await vault.open(sealedPrevious)] : [];
  return [await vault.open(sealed), ...previous];
}

/** Whoever asks at the same time gets the same one: the first that is written stays. */
async function firstSecret({ db, vault }: Pick<Services, "db" | "vault">, id: string): Promise<string> {
  const sealed = await vault.seal(newSecret());
  const [, [row]] = await db.batch([
    db
      .update(webhookEndpoints)
      .set({ sealedSecret: sealed })
      .where(and(eq(webhookEndpoints.id, id), sql`${webhookEndpoints.sealedSecret} = ''`)),
    db.select({ sealed: webhookEndpoints.sealedSecret }).from(webhookEndpoints).where(eq(webhookEndpoints.id, id)),
  ]);
  return row?.sealed ?? sealed;
}
