import type { DeliveryState, WebhookEvent } from "../../../webhooks/schema.ts";
import { texts } from "./texts.ts";

/** What the log is narrowed to; empty is everything. */
export interface DeliveryFilter {
  state: DeliveryState | "";
  event: WebhookEvent | "";
}

/** One of those that have a name here. */
const oneOf = <T extends string>(names: Record<T, string>, said: string | null): T | "" =>
  said !== null && Object.hasOwn(names, said) ? (said as T) : "";

/** Reads the filter from the page's address, so that reload, Back and a shared link show the same. */
export function readFilter(search: URLSearchParams): DeliveryFilter {
  return { state: oneOf(texts.states, search.get("state")), event: oneOf(texts.events, search.get("event")) };
}

/** The page's address with this filter. */
export function filterAddress(here: string, filter: DeliveryFilter): string {
  const search = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ""));
  return search.size === 0 ? here : `${here}?${search.toString()}`;
}
