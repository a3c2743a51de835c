import { afterAll, beforeAll, expect, test } from "vitest";
import type { HistoryPage } from "../../../src/channels/messages/schema.ts";
import type { WebhookView } from "../../../src/channels/webhooks/schema.ts";
import { recordedPosts } from "./recorded-posts.ts";
import { createWebhookWorld, type WebhookWorld } from "./webhook-world.ts";

let world: WebhookWorld;
let webhook: WebhookView;
beforeAll(async () => {
  world = await createWebhookWorld({ environment: { CHANNEL_WEBHOOK_BURST: "1000" } });
  const made = await world.webhook();
  const path = `/api/v1/channels/${world.channelId}/webhooks/${made.id}/update`;
  // Each for itself: threads have tests of their own.
  ({ body: webhook } = await world.call<WebhookView>(path, { json: { threads: false }, as: world.manager }));
});
afterAll(() => world.close());

const latest = async () => {
  const path = `/api/v1/channels/${world.channelId}/history?limit=1`;
  return (await world.call<HistoryPage>(path, { as: world.member })).body.messages[0]!;
};

test("there are bodies of 25 senders and more, and each says where it is documented", () => {
  expect(new Set(recordedPosts.map(({ sender }) => sender)).size).toBeGreaterThan(25);
  for (const { documented } of recordedPosts) expect(documented).toMatch(/^https:\/\//);
});

test.each(recordedPosts.map((each) => [each.name, each] as const))("%s", async (_name, recorded) => {
  const { address, headers, body, format, state, shows } = recorded;
  const { status, body: answer } = await world.call<Record<string, unknown> | string>(
    new URL(webhook.url!).pathname + address,
    { json: body, ...(headers ? { headers } : {}) },
  );
  expect(status).toBe(200);
  const message = await latest();
  expect(answer).toEqual(address === "/slack" ? "ok" : { success: true, message_id: message.id });
  for (const words of shows) expect(message.content).toContain(words);
  expect(message.card?.parts[0]?.state?.word).toBe(state);
  expect(message.content).not.toMatch(/undefined|null|\[object|\{"/);
  const requests = await world.call<{ format: string }[]>(
    `/api/v1/channels/${world.channelId}/webhooks/${webhook.id}/requests`,
    { as: world.manager },
  );
  expect(requests.body[0]).toMatchObject({ format, status: 200, reason: null, message_id: message.id });
});
