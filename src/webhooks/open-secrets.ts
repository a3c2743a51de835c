import { and, eq, sql } from "drizzle-orm";
import type { Services } from "../context.ts";
import { AppError } from "../errors.ts";
import { newSecret } from "./signing.ts";
import { webhookEndpoints } from "./tables.ts";

type EndpointSecrets = Pick<
  typeof webhookEndpoints.$inferSelect,
  "id" | "sealedSecret" | "sealedPrevious" | "overlapUntil"
>;

/**
 * The endpoint's signing secrets, newest first; creates the first one if there is none. No round trip if there is one.
 * @throws AppError `conflict` if the key that sealed it was lost
 */
export async function openSecrets(
  services: Pick<Services, "db" | "vault">,
  endpoint: EndpointSecrets,
): Promise<[string, ...string[]]> {
  const { vault } = services;
  const sealed = endpoint.sealedSecret === "" ? await firstSecret(services, endpoint.id) : endpoint.sealedSecret;
  const { sealedPrevious, overlapUntil } = endpoint;
  const isBoth = sealedPrevious !== null && overlapUntil !== null && overlapUntil > Date.now();
  const open = (secret: string) => vault.open(secret).catch(() => undefined);
  const [current, previous] = await Promise.all([open(sealed), isBoth ? open(sealedPrevious) : undefined]);
  if (current === undefined)
    throw new AppError("conflict", "The signing secret cannot be read with the keys of this service: create a new one");
  return previous === undefined ? [current] : [current, previous];
}

/** Anyone who asks at the same time gets the same one: the first that is written stays. */
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
