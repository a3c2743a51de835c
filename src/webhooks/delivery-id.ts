import { v7 } from "uuid";
import { newId } from "../lib/id.ts";

/** `msg_...`, sorted by creation time; the receiver sees it as `webhook-id`. */
export function newDeliveryId(): string {
  return `msg_${newId()}`;
}

/**
 * The same id for the same object and time, so that it is reported once.
 * @param at epoch milliseconds
 */
export async function deliveryIdOf(thing: string, at: number): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(thing));
  return `msg_${v7({ msecs: at, random: new Uint8Array(hash), seq: 0 })}`;
}
