import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { messageView } from "../../../src/channels/messages/message-view.ts";
import { selectMessages } from "../../../src/channels/messages/select-messages.ts";
import {
  channelMembers,
  channelWebhookFaces,
  channelWebhookPictures,
  channelWebhooks,
} from "../../../src/channels/tables.ts";
import type { WebhookView } from "../../../src/channels/webhooks/schema.ts";
import { toBase64 } from "../../../src/lib/base64.ts";
import { auditEvents } from "../../../src/people/audit/tables.ts";
import { origin, type Person } from "../../world.ts";
import { createWebhookWorld, type WebhookWorld } from "./webhook-world.ts";

let world: WebhookWorld;
beforeEach(async () => {
  world = await createWebhookWorld();
});
afterEach(() => world.close());

const picture = (last: number) =>
  `data:image/png;base64,${toBase64(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, last]))}`;
const base = (channelId = world.channelId) => `/api/v1/channels/${channelId}/webhooks`;
const list = (as: Person) => world.call<WebhookView[]>(base(), { as });
const change = (webhook: WebhookView, json: unknown, as: Person = world.manager) =>
  world.call<WebhookView>(`${base()}/${webhook.id}/update`, { json, as });
const remove = (webhook: WebhookView, as: Person = world.manager) =>
  world.call<unknown>(`${base()}/${webhook.id}/delete`, { method: "DELETE", as });
const rotate = (webhook: WebhookView, as: Person = world.manager) =>
  world.call<WebhookView>(`${base()}/${webhook.id}/rotate`, { method: "POST", as });
const read = async () =>
  (await selectMessages(world.services.db, null, sql`TRUE ORDER BY m.channel_id, m.seq DESC`)).map((row) =>
    messageView(row, null),
  );
const authors = async () => (await read()).map(({ user }) => user);

test("a webhook is made with an address that nobody guesses, and shown again to those who manage the channel", async () => {
  const made = await world.call<WebhookView>(`${base()}/create`, { json: { name: " Deploys " }, as: world.manager });
  expect(made.status).toBe(200);
  expect(made.headers.get("cache-control")).toBe("no-store");
  const { id, token } = made.body;
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(made.body).toMatchObject({
    name: "Deploys",
    channel_id: world.channelId,
    user_id: world.manager.id,
    profile_image_url: null,
    last_used_at: null,
    url: `${origin}/api/v1/channels/webhooks/${id}/${token}`,
  });
  for (const who of [world.manager, await world.admin()]) {
    const listed = await list(who);
    expect([listed.status, listed.body]).toEqual([200, [made.body]]);
    expect(listed.headers.get("cache-control")).toBe("no-store");
  }
  const stored = JSON.stringify((await world.client.execute("SELECT * FROM channel_webhooks")).rows);
  expect(stored).not.toContain(token);
});

test("members see none of it and change nothing; strangers do not even find the channel", async () => {
  const webhook = await world.webhook();
  const all = (who: Person) =>
    Promise.all([
      list(who),
      world.call(`${base()}/create`, { json: { name: "Mine" }, as: who }),
      change(webhook, { name: "Mine" }, who),
      rotate(webhook, who),
      remove(webhook, who),
    ]);
  for (const answer of await all(world.member)) expect(answer.status).toBe(403);
  for (const answer of await all(world.other)) expect(answer.status).toBe(404);
  expect((await list(world.manager)).body).toEqual([webhook]);
});

test("who is no manager any more loses the webhooks at once", async () => {
  const webhook = await world.webhook();
  await world.db.update(channelMembers).set({ role: "member" }).where(eq(channelMembers.userId, world.manager.id));
  expect((await change(webhook, { name: "Still mine" })).status).toBe(403);
});

test("an id of another channel, or none, is 404", async () => {
  const webhook = await world.webhook();
  const elsewhere = base(await world.addChannel());
  for (const path of [`${elsewhere}/${webhook.id}`, `${base()}/nothing`]) {
    const as = world.manager;
    expect((await world.call(`${path}/update`, { json: { name: "Other" }, as })).status).toBe(404);
    expect((await world.call(`${path}/rotate`, { method: "POST", as })).status).toBe(404);
    expect((await world.call(`${path}/delete`, { method: "DELETE", as })).status).toBe(404);
  }
  expect((await list(world.manager)).body).toEqual([webhook]);
});

test("direct conversations have none", async () => {
  const direct = await world.addChannel("direct");
  expect((await world.call(base(direct), { as: world.manager })).status).toBe(403);
});

describe("fields that do not fit", () => {
  test.each<[string, unknown]>([
    ["no name", {}],
    ["a blank name", { name: "  " }],
    ["a name that is too long", { name: "x".repeat(81) }],
    ["a name in two lines", { name: "Two\nlines" }],
    ["a name that is no text", { name: 7 }],
    ["a script as the picture", { name: "Bot", profile_image_url: "javascript:alert(1)" }],
    ["a drawing with scripts", { name: "Bot", profile_image_url: "data:image/svg+xml;base64,PHN2Zy8+" }],
    ["bytes that are no picture", { name: "Bot", profile_image_url: "data:image/png;base64,AAAA" }],
  ])("%s", async (_name, json) => {
    expect((await world.call(`${base()}/create`, { json, as: world.manager })).status).toBe(422);
    expect((await list(world.manager)).body).toEqual([]);
  });
});

test("a channel has so many webhooks and no more, however many ask at once", async () => {
  const made = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      world.call(`${base()}/create`, { json: { name: `Bot ${at}` }, as: world.manager }),
    ),
  );
  expect(made.filter(({ status }) => status === 200)).toHaveLength(50);
  expect(made.filter(({ status }) => status === 409)).toHaveLength(10);
  expect((await list(world.manager)).body).toHaveLength(50);
});

describe("a new name or picture", () => {
  test("is for posts from now on; the address stays", async () => {
    const webhook = await world.webhook("Deploys", picture(1));
    await world.post(webhook, { content: "First" });
    const changed = await change(webhook, { name: "Releases" });
    expect(changed.body).toMatchObject({ name: "Releases", token: webhook.token, url: webhook.url });
    await world.post(webhook, { content: "Second" });
    const [second, first] = await authors();
    expect([first!.name, second!.name]).toEqual(["Deploys", "Releases"]);
    expect(first!.profile_image_url).not.toBe(second!.profile_image_url);
  });

  test("leaves earlier posts their picture", async () => {
    const webhook = await world.webhook("Deploys", picture(1));
    await world.post(webhook, { content: "First" });
    await change(webhook, { profile_image_url: picture(2) });
    await world.post(webhook, { content: "Second" });
    await change(webhook, { profile_image_url: null });
    await world.post(webhook, { content: "Third" });
    const bytes = async (path: string) => {
      const response = await world.request(path, { as: world.member });
      expect(response.status).toBe(200);
      return [response.headers.get("content-type"), new Uint8Array(await response.arrayBuffer()).at(-1)];
    };
    const [third, second, first] = await authors();
    expect(await bytes(first!.profile_image_url)).toEqual(["image/png", 1]);
    expect(await bytes(second!.profile_image_url)).toEqual(["image/png", 2]);
    expect((await bytes(third!.profile_image_url))[0]).toBe("image/svg+xml");
  });

  test("that was never posted with leaves nothing behind; one picture is kept once", async () => {
    const webhook = await world.webhook("Deploys", picture(1));
    for (let at = 0; at < 5; at++) await change(webhook, { name: `Bot ${at}`, profile_image_url: picture(at) });
    expect(await world.db.select().from(channelWebhookFaces)).toHaveLength(1);
    expect(await world.db.select().from(channelWebhookPictures)).toHaveLength(1);
    for (let at = 0; at < 5; at++) {
      await world.post(webhook, { content: `Post ${at}` });
      await change(webhook, { name: `Used bot ${at}` });
    }
    expect(await world.db.select().from(channelWebhookFaces)).toHaveLength(6);
    expect(await world.db.select().from(channelWebhookPictures)).toHaveLength(1);
  });

  test("is refused when posts show so many pictures of it already", async () => {
    const webhook = await world.webhook("Deploys", picture(0));
    for (let at = 1; at < 50; at++) {
      await world.client.execute("UPDATE channel_webhooks SET is_face_used = 1");
      expect((await change(webhook, { profile_image_url: picture(at) })).status).toBe(200);
    }
    await world.client.execute("UPDATE channel_webhooks SET is_face_used = 1");
    expect(await change(webhook, { profile_image_url: picture(50) })).toMatchObject({
      status: 409,
      body: { code: "limit_reached" },
    });
    // The same one again, none and another name are no new picture.
    for (const other of [{ profile_image_url: picture(49) }, { name: "Releases" }, { profile_image_url: null }])
      expect((await change(webhook, other)).status).toBe(200);
    expect(await world.db.select().from(channelWebhookPictures)).toHaveLength(50);
  });

  test("that is the present one changes nothing, and is in no audit", async () => {
    const webhook = await world.webhook("Deploys", picture(1));
    for (const json of [
      {},
      { name: "Deploys" },
      { profile_image_url: picture(1) },
      { name: "Deploys", profile_image_url: webhook.profile_image_url },
      { profile_image_url: `${origin}${webhook.profile_image_url}` },
    ])
      expect((await change(webhook, json)).body).toEqual(webhook);
    const actions = (await world.db.select().from(auditEvents)).map(({ action }) => action);
    expect(actions).toEqual(["channel_webhook.created"]);
  });

  test("by two at once ends as one of them, whole", async () => {
    const webhook = await world.webhook("Deploys");
    await Promise.all([1, 2, 3, 4].map((at) => change(webhook, { name: `Bot ${at}`, profile_image_url: picture(at) })));
    const [now] = (await list(world.manager)).body;
    const response = await world.request(now!.profile_image_url!, { as: world.member });
    expect(now!.name).toBe(`Bot ${new Uint8Array(await response.arrayBuffer()).at(-1)}`);
    expect(await world.db.select().from(channelWebhookFaces)).toHaveLength(1);
  });
});

test("a deleted webhook leaves its posts under a label, and nothing else", async () => {
  const webhook = await world.webhook("Deploys", picture(1));
  await world.post(webhook, { content: "Built" });
  expect((await remove(webhook)).body).toBe(true);
  expect((await remove(webhook)).status).toBe(404);
  const [message] = await read();
  expect(message).toMatchObject({
    content: "Built",
    user: { id: webhook.id, name: "Deleted webhook", role: "webhook", is_deleted: true },
  });
  const image = await world.request(message!.user.profile_image_url, { as: world.member });
  expect(image.status).toBe(404);
  await world.settled();
  const [, told] = world.told;
  expect(told!.event).toMatchObject({
    type: "channel:message:update",
    data: { message: { id: message!.id, user: { name: "Deleted webhook" }, edited_at: null } },
  });
  for (const table of [channelWebhooks, channelWebhookFaces, channelWebhookPictures])
    expect(await world.db.select().from(table)).toEqual([]);
});

test("pictures are for those who read or manage the channel, and never run as a page", async () => {
  const webhook = await world.webhook("Deploys", picture(1));
  const types = await Promise.all(
    [world.member, world.manager, await world.admin()].map(async (as) => {
      const response = await world.request(webhook.profile_image_url!, { as });
      expect(response.headers.get("content-security-policy")).toContain("sandbox");
      return response.headers.get("content-type");
    }),
  );
  expect(types).toEqual(["image/png", "image/png", "image/png"]);
  await change(webhook, { profile_image_url: "https://pictures.example/a.png" });
  const [now] = (await list(world.manager)).body;
  const moved = await world.request(now!.profile_image_url!, { as: world.member });
  expect([moved.status, moved.headers.get("location")]).toEqual([
    302,
    "/api/v1/images/proxy?url=https%3A%2F%2Fpictures.example%2Fa.png",
  ]);
});

test("for others a webhook with a picture looks like one that never was", async () => {
  const webhook = await world.webhook("Deploys", picture(1));
  const address = (id: string) => `/api/v1/channels/webhooks/${id}/profile/image`;
  const bodyOf = async (path: string) => {
    const { status, body } = await world.call(path, { as: world.other });
    return { status, ...body, request_id: undefined };
  };
  const unknown = await bodyOf(address("0192d3a0-0000-7000-8000-000000000000"));
  expect(unknown).toMatchObject({ status: 404, code: "not_found" });
  expect(await bodyOf(address(webhook.id))).toEqual(unknown);
  expect(await bodyOf(webhook.profile_image_url!)).toEqual(unknown);
});

test("the last use is known, in milliseconds", async () => {
  const webhook = await world.webhook();
  const before = Date.now();
  await world.post(webhook, { content: "Built" });
  const [now] = (await list(world.manager)).body;
  expect(now!.last_used_at).toBeGreaterThanOrEqual(before);
  expect(now!.last_used_at).toBeLessThanOrEqual(Date.now());
});

test("a token whose key is gone from the ring is shown no more; a new one is", async () => {
  const webhook = await world.webhook();
  await world.db.update(channelWebhooks).set({ sealedToken: "v1.gone.AAAA.AAAA" });
  const [listed] = (await list(world.manager)).body;
  expect(listed).toMatchObject({ token: null, url: null, name: "Deploys" });
  expect((await world.post(webhook, { content: "Still good" })).status).toBe(200);
  const rotated = await rotate(webhook);
  expect(rotated.body.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(rotated.body.token).not.toBe(webhook.token);
});

test("while channels are switched off nothing is managed", async () => {
  const webhook = await world.webhook();
  await world.call("/api/v1/auths/admin/config", { json: { ENABLE_CHANNELS: false }, as: await world.admin() });
  for (const { status } of [await list(world.manager), await remove(webhook), await rotate(webhook)])
    expect(status).toBe(403);
});
