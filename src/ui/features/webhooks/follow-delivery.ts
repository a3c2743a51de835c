import { isTold } from "./describe-delivery.ts";
import { type Delivery, getDelivery, type Whose } from "./webhooks-api.ts";

/** Longer than a receiver may take for one answer; milliseconds. */
const longest = 25_000;
const step = 500;

/**
 * Waits for the first attempt of a delivery.
 * @returns the delivery when it is known how that went, or as it is when that takes too long
 */
export async function followDelivery(whose: Whose, sent: Delivery, signal: AbortSignal): Promise<Delivery> {
  let delivery = sent;
  for (const end = Date.now() + longest; !isTold(delivery) && Date.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, step));
    signal.throwIfAborted();
    delivery = await getDelivery(whose, sent.id, signal);
  }
  return delivery;
}
