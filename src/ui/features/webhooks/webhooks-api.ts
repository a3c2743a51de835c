import type {
  DeliveryDetail,
  DeliveryPage,
  DeliveryView,
  EndpointChange,
  EndpointView,
  SecretView,
  StatsQuery,
  WebhookStats,
  WhoseEndpoint,
} from "../../../webhooks/schema.ts";
import { api } from "../../lib/api.ts";
import type { DeliveryFilter } from "./delivery-filter.ts";

/** The service's webhook, for administrators, or the person's own. */
export type Whose = WhoseEndpoint;
export type Endpoint = EndpointView;
export type Delivery = DeliveryView;

const path = (whose: Whose, rest = ""): string => `/api/v1/webhooks/${whose}${rest}`;
const deliveryPath = (whose: Whose, id: string, rest = ""): string =>
  path(whose, `/deliveries/${encodeURIComponent(id)}${rest}`);

export function getEndpoint(whose: Whose, signal?: AbortSignal): Promise<Endpoint> {
  return api("GET", path(whose), { signal });
}

/** What is left out stays as it is. */
export function changeEndpoint(whose: Whose, change: EndpointChange): Promise<Endpoint> {
  return api("PUT", path(whose), { body: change });
}

export function getSecret(whose: Whose): Promise<SecretView> {
  return api("GET", path(whose, "/secret"));
}

/** A new secret; for a while deliveries are signed with the one before, too. */
export function rotateSecret(whose: Whose): Promise<SecretView> {
  return api("POST", path(whose, "/secret/rotate"));
}

/** Has a test sent, once; resolves with what came of it. */
export function sendTest(whose: Whose): Promise<Delivery> {
  return api("POST", path(whose, "/test"));
}

/** One page, the newest first. @param cursor where the last page ended */
export function listDeliveries(
  whose: Whose,
  filter: DeliveryFilter,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<DeliveryPage> {
  return api("GET", path(whose, "/deliveries"), { query: { ...filter, cursor }, signal });
}

export function getDelivery(whose: Whose, id: string, signal?: AbortSignal): Promise<DeliveryDetail> {
  return api("GET", deliveryPath(whose, id), { signal });
}

/** Sends it once more, as a delivery of its own; one that waits is sent now. */
export function replayDelivery(whose: Whose, id: string): Promise<Delivery> {
  return api("POST", deliveryPath(whose, id, "/replay"));
}

export function readStats(whose: Whose, by: StatsQuery["by"], signal?: AbortSignal): Promise<WebhookStats> {
  return api("GET", path(whose, "/stats"), { query: { by }, signal });
}
