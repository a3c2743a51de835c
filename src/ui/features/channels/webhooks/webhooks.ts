import type { Posted, WebhookChange, WebhookView } from "../../../../channels/webhooks/schema.ts";
import { api } from "../../../lib/api.ts";

export type Webhook = WebhookView;

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
  /** Posts like anyone who has the webhook's address, through the address of this page. */
  tryOut: (url: string, content: string) =>
    api<Posted>("POST", new URL(url).pathname, { body: { content }, plain401: true }),
};
