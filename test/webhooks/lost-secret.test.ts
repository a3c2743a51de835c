import { afterEach, beforeEach, expect, test } from "vitest";
import type { Person } from "../world.ts";
import { verified } from "./start-receiver.ts";
import { createWebhookWorld, type WebhookWorld } from "./webhook-world.ts";

let world: WebhookWorld;
let admin: Person;
beforeEach(async () => {
  world = await createWebhookWorld();
  admin = await world.admin();
});
afterEach(() => world.close());

test("an endpoint whose secret cannot be read, since the keys were lost, says so in its deliveries, which are sent once it has a new one", async () => {
  await world.call("/api/v1/webhooks/service", { as: admin, method: "PUT", json: { url: world.receiver.url } });
  await world.secret("service", admin);
  await world.client.execute("UPDATE webhook_endpoints SET sealed_secret = 'v1.lost.AAAA.AAAA'");
  await world.signUp();
  await world.deliver();
  expect(world.receiver.received).toEqual([]);
  const { id, attempts } = (await world.deliveries("service", admin))[0]!;
  expect(attempts).toMatchObject([{ number: 1, error: "secret_unreadable", response: null }]);
  expect(attempts[0]!.request.headers).not.toHaveProperty("webhook-signature");
  const shown = await world.call("/api/v1/webhooks/service/secret", { as: admin });
  expect(shown.body).toMatchObject({
    code: "conflict",
    detail: expect.stringContaining("create a new one") as unknown,
  });
  await world.call("/api/v1/webhooks/service/secret/rotate", { as: admin, method: "POST" });
  await world.call(`/api/v1/webhooks/service/deliveries/${id}/replay`, { as: admin, method: "POST" });
  await world.deliver();
  expect(world.receiver.received).toHaveLength(1);
  expect(verified(await world.secret("service", admin), world.receiver.received[0]!)).toMatchObject({
    event: "new_user",
  });
});
