import { eq } from "drizzle-orm";
import type { Database } from "../../src/db/client.ts";
import { newDeliveryId } from "../../src/webhooks/delivery-id.ts";
import { webhookDeliveries, webhookEndpoints } from "../../src/webhooks/tables.ts";
import type { Kind } from "./cells.ts";

/** A delivery that was taken, of an endpoint of the person's. @returns its id */
export async function addDelivery(db: Database, owner: { id: string }): Promise<string> {
  const id = newDeliveryId();
  const at = Date.now();
  const endpoint = { id: owner.id, owner: owner.id, userId: owner.id, url: "https://hooks.invalid/", sealedSecret: "" };
  await db.batch([
    db
      .insert(webhookEndpoints)
      .values({ ...endpoint, createdAt: at, updatedAt: at })
      .onConflictDoUpdate({ target: webhookEndpoints.owner, set: { url: endpoint.url, isEnabled: true } }),
    db.insert(webhookDeliveries).values({
      id,
      endpointId: owner.id,
      event: "chat_response",
      payload: { event: "chat_response" },
      state: "delivered",
      createdAt: at,
      finishedAt: at,
    }),
  ]);
  return id;
}

export async function forgetWebhookThing(db: Database, kind: Kind, id: string): Promise<void> {
  if (kind === "webhook delivery") await db.delete(webhookDeliveries).where(eq(webhookDeliveries.id, id));
}
