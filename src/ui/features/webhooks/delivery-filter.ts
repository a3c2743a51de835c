import { type DeliveryState, deliveryStates, type WebhookEvent, webhookEvents } from "../../../webhooks/schema.ts";

/** What the log is narrowed to; empty is everything. */
export interface DeliveryFilter {
  state: DeliveryState | "";
  event: WebhookEvent | "";
}

const oneOf = <T extends string>(values: readonly T[], said: string | null): T | "" =>
  values.find((value) => value === said) ?? "";

/** Reads the filter from the page's address, so that reload, Back and a shared link show the same. */
export function readFilter(search: URLSearchParams): DeliveryFilter {
  return { state: oneOf(deliveryStates, search.get("state")), event: oneOf(webhookEvents, search.get("event")) };
}

/** The page's address with this filter. */
export function filterAddress(here: string, filter: DeliveryFilter): string {
  const search = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ""));
  return search.size === 0 ? here : `${here}?${search.toString()}`;
}
