import type { WebhookChange, WebhookRequest, WebhookView } from "../../../../channels/webhooks/schema.ts";
import { api, apiResponse } from "../../../lib/api.ts";

export type Webhook = WebhookView;

/** A body as a tool sends it. */
export interface TestPost {
  /** What follows the webhook's address. */
  suffix: "" | "/slack" | "/github";
  headers?: Record<string, string>;
  body: object;
}

const of = (channelId: string): string => `/api/v1/channels/${encodeURIComponent(channelId)}/webhooks`;
const one = (webhook: Webhook): string => `${of(webhook.channel_id)}/${encodeURIComponent(webhook.id)}`;

export const webhooksApi = {
  /** With their addresses, which are secrets. */
  list: (channelId: string, signal?: AbortSignal) => api<Webhook[]>("GET", of(channelId), { signal }),
  create: (channelId: string, body: WebhookChange) => api<Webhook>("POST", `${of(channelId)}/create`, { body }),
  /** The address stays. */
  update: (webhook: Webhook, body: WebhookChange) => api<Webhook>("POST", `${one(webhook)}/update`, { body }),
  /** A new address; the one before is dead. */
  rotate: (webhook: Webhook) => api<Webhook>("POST", `${one(webhook)}/rotate`),
  remove: (webhook: Webhook) => api<unknown>("DELETE", `${one(webhook)}/delete`),
  /** What came to its address lately, newest first. */
  requests: (webhook: Webhook, signal?: AbortSignal) =>
    api<WebhookRequest[]>("GET", `${one(webhook)}/requests`, { signal }),
  /** Posts like anyone who has the webhook's address, through the address of this page. */
  tryOut: async (url: string, { suffix, headers = {}, body }: TestPost): Promise<void> => {
    await apiResponse("POST", new URL(url).pathname + suffix, { body, headers, plain401: true });
  },
};
