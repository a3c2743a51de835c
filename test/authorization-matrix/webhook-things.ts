import { eq } from "drizzle-orm";
import type { Database } from "../../src/db/client.ts";
import { newDeliveryId } from "../../src/webhooks/delivery-id.ts";
import { webhookDeliveries, webhookEndpoints } from "../../src/webhooks/tables.ts";
import type { Kind } from "./cells.ts";

/** The person's endpoint. @returns its id */
export async function addEndpoint(db: Database, { id }: { id: string }, url: string): Promise<string> {
  const at = Date.now();
  await db
    .insert(webhookEndpoints)
    .values({ id, owner: id, userId: id, url, sealedSecret: "", createdAt: at, updatedAt: at })
    .onConflictDoUpdate({ target: webhookEndpoints.owner, set: { url, isEnabled: true } });
  return id;
}

/** A delivery that was taken, of an endpoint of the person's. @returns its id */
export async function addDelivery(db: Database, owner: { id: string }): Promise<string> {
  const id = newDeliveryId();
  const at = Date.now();
  await db.insert(webhookDeliveries).values({
    id,
    endpointId: await addEndpoint(db, owner, "https://hooks.invalid/"),
    event: "chat_response",
    payload: { event: "chat_response" },
    state: "delivered",
    createdAt: at,
    finishedAt: at,
  });
  return id;
}

export async function forgetWebhookThing(db: Database, kind: Kind, id: string): Promise<void> {
  if (kind === "webhook delivery") await db.delete(webhookDeliveries).where(eq(webhookDeliveries.id, id));
}
