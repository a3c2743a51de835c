import { newId } from "../lib/id.ts";

/** `msg_...`, sorted by the time it was made; the receiver sees it as `webhook-id`. */
export function newDeliveryId(): string {
  return `msg_${newId()}`;
}
