import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { maxKeyLength } from "../../../src/channels/messages/schema.ts";
import { channelMentions, channels, channelWebhooks } from "../../../src/channels/tables.ts";
import { maxPostBytes, type WebhookView } from "../../../src/channels/webhooks/schema.ts";
import { newId } from "../../../src/lib/id.ts";
import { organizations } from "../../../src/people/organizations/tables.ts";
import { defaultOrganizationId } from "../../world.ts";
import { createWebhookWorld, type WebhookWorld } from "./webhook-world.ts";

let world: WebhookWorld;
let webhook: WebhookView;
beforeEach(async () => {
  world = await createWebhookWorld();
  webhook = await world.webhook();
});
afterEach(() => world.close());

const path = () => new URL(webhook.url!).pathname;

test("a post is a message of the webhook, told to the channel", async () => {
  const { status, body, headers } = await world.post(webhook, { content: "Tide is **in**" });
  await world.settled();
  expect(status).toBe(200);
  const [message] = await world.messages();
  expect(body).toEqual({ success: true, message_id: message!.id });
  expect(message).toMatchObject({ seq: 1, content: "Tide is **in**", userId: null, webhookId: webhook.id });
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(world.told).toHaveLength(1);
  expect(world.told[0]).toMatchObject({
    channel: { id: world.channelId, organizationId: defaultOrganizationId },
    event: {
      type: "channel:message",
      data: {
        message: {
          user: { id: webhook.id, name: "Deploys", role: "webhook", is_deleted: false },
          meta: { webhook: { id: webhook.id } },
        },
      },
    },
  });
});

test("the contract's path without /v1 is the same one, with a slash at the end too", async () => {
  const short = path().replace("/api/v1/", "/api/");
  for (const [at, each] of [short, `${short}/`].entries()) {
    const { status } = await world.call(each, { json: { content: `Post ${at}` } });
    expect(status).toBe(200);
  }
  expect((await world.messages()).map(({ content }) => content)).toEqual(["Post 0", "Post 1"]);
});

test("a post costs two round trips, a repeated one too", async () => {
  for (const content of ["First", "Again"]) {
    world.roundTrips.reset();
    expect((await world.post(webhook, { content }, { "idempotency-key": "one" })).status).toBe(200);
    expect(world.roundTrips.count).toBe(2);
  }
});

test("text stands for content, where that is missing", async () => {
  await world.post(webhook, { text: "As chat services say it" });
  await world.post(webhook, { content: "This one", text: "not that" });
  expect((await world.messages()).map(({ content }) => content)).toEqual(["As chat services say it", "This one"]);
});

describe("what is no post", () => {
  test.each<[string, unknown, number]>([
    ["nothing", {}, 422],
    ["an empty text", { content: "" }, 422],
    ["a blank text", { content: " \n\t\u00a0" }, 422],
    ["a number", { content: 7 }, 422],
    ["null", { content: null }, 422],
    ["null beside a text", { content: null, text: "Hello" }, 422],
    ["a list", { content: ["Hello"] }, 422],
    ["a blank alias", { text: " " }, 422],
    ["an alias that is no text", { text: { type: "mrkdwn" } }, 422],
    ["a list as the body", ["Hello"], 422],
    ["a text as the body", '"Hello"', 422],
    ["half of a pair", '{"content": "\\ud800"}', 422],
    ["no JSON", "content=Hello", 400],
    ["half of a document", '{"content": "Hello', 400],
    ["an empty body", "", 400],
    ["a deep document", `{"content": "Hello", "x": ${"[".repeat(5000)}${"]".repeat(5000)}}`, 400],
  ])("%s", async (_name, body, expected) => {
    const { status } = await world.post(webhook, body);
    expect(status).toBe(expected);
    expect(await world.messages()).toEqual([]);
  });

  test("bytes that are no UTF-8", async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode('{"content": "'), 0xff, 0xfe, 0x22, 0x7d]);
    const { status } = await world.call(path(), { method: "POST", body: bytes });
    expect(status).toBe(400);
  });

  test.each([
    ["application/x-www-form-urlencoded", "content=Hello"],
    ["multipart/form-data; boundary=x", '--x\r\nContent-Disposition: form-data; name="content"\r\n\r\nHello\r\n--x--'],
    ["text/plain", "Hello"],
  ])("a body of the type %s", async (type, body) => {
    const { status, body: problem } = await world.post(webhook, body, { "content-type": type });
    expect(status).toBe(415);
    expect(problem["detail"]).toContain("application/json");
  });

  test("a key that is blank or too long", async () => {
    for (const key of [" ", "k".repeat(maxKeyLength + 1)])
      expect((await world.post(webhook, { content: "Hello" }, { "idempotency-key": key })).status).toBe(422);
  });
});

test("JSON is JSON, whatever type curl gave it", async () => {
  for (const type of ["application/x-www-form-urlencoded", "text/plain", "application/octet-stream"])
    expect((await world.post(webhook, '{"content": "Hello"}', { "content-type": type })).status).toBe(200);
});

test("the limit is in bytes of UTF-8, and said", async () => {
  const fits = "é".repeat(maxPostBytes / 2);
  expect((await world.post(webhook, { content: fits })).status).toBe(200);
  expect((await world.post(webhook, `{"content": "${"\\u00e9".repeat(maxPostBytes / 2)}"}`)).status).toBe(200);
  for (const content of [`${fits}x`, "x".repeat(maxPostBytes + 1), "x".repeat(5_000_000)]) {
    const { status, body } = await world.post(webhook, { content });
    expect(status).toBe(413);
    expect(body["detail"]).toContain("16 KB");
  }
  expect(await world.messages()).toHaveLength(2);
});

describe("an address that is not valid", () => {
  const unknown = (status: number) => expect(status).toBe(401);

  test("of another id, another token, parts of one", async () => {
    const [id, token] = path().split("/").slice(-2) as [string, string];
    const second = await world.webhook("Second");
    const base = "/api/v1/channels/webhooks";
    for (const each of [
      `${base}/${crypto.randomUUID()}/${token}`,
      `${base}/${second.id}/${token}`,
      `${base}/${id}/${token.slice(0, -1)}`,
      `${base}/${id}/${token}x`,
      `${base}/${id}/${token.toUpperCase()}`,
      `${base}/${id}/x`,
      `${base}/${id}/%00`,
      `${base}/${id}/' OR 1=1 --`,
    ])
      unknown((await world.call(each, { json: { content: "Hello" } })).status);
    expect(await world.messages()).toEqual([]);
  });

  test("and what is wrong with the body is said to nobody but its holder", async () => {
    const wrong = { ...webhook, url: `${webhook.url!.slice(0, -4)}AAAA` };
    for (const body of [{}, "no JSON", { content: "x".repeat(20_000) }]) {
      const { status, body: problem } = await world.post(wrong, body);
      unknown(status);
      expect(JSON.stringify(problem)).not.toMatch(/JSON|KB|content/);
    }
  });

  test("deleted, rotated, in a channel that is gone", async () => {
    const one = `/api/v1/channels/${world.channelId}/webhooks/${webhook.id}`;
    const rotated = await world.call<WebhookView>(`${one}/rotate`, { method: "POST", as: world.manager });
    unknown((await world.post(webhook, { content: "Old address" })).status);
    expect((await world.post(rotated.body, { content: "New address" })).status).toBe(200);
    await world.db.update(channels).set({ deletedAt: Date.now() }).where(eq(channels.id, world.channelId));
    unknown((await world.post(rotated.body, { content: "Too late" })).status);
    await world.db.update(channels).set({ deletedAt: null }).where(eq(channels.id, world.channelId));
    await world.call(`${one}/delete`, { method: "DELETE", as: world.manager });
    unknown((await world.post(rotated.body, { content: "Too late" })).status);
    expect((await world.messages()).map(({ content }) => content)).toEqual(["New address"]);
  });
});

test("channels switched off, and an organization switched off, are 403", async () => {
  const admin = await world.admin();
  const set = (value: boolean) =>
    world.call("/api/v1/auths/admin/config", { json: { ENABLE_CHANNELS: value }, as: admin });
  await set(false);
  expect((await world.post(webhook, { content: "Hello" })).status).toBe(403);
  await set(true);
  const organization = await world.db
    .insert(organizations)
    .values({ id: newId(), name: "North", active: false, features: {}, createdAt: 0, updatedAt: 0 })
    .returning();
  await world.db.update(channels).set({ organizationId: organization[0]!.id }).where(eq(channels.id, world.channelId));
  const { status, body } = await world.post(webhook, { content: "Hello" });
  expect([status, body["code"]]).toEqual([403, "organization_inactive"]);
  expect(await world.messages()).toEqual([]);
});

describe("a post that is sent again", () => {
  const keyed = (content: string, key = "build 7") => world.post(webhook, { content }, { "idempotency-key": key });

  test("is the same message, told once", async () => {
    const first = await keyed("Built");
    const again = await keyed("Built");
    await world.settled();
    expect(again.body).toEqual(first.body);
    expect(again.status).toBe(200);
    expect(world.told).toHaveLength(1);
    expect(await world.messages()).toHaveLength(1);
  });

  test("at once by many is one", async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => keyed("Built")));
    await world.settled();
    expect(new Set(answers.map(({ body }) => body["message_id"])).size).toBe(1);
    expect(world.told).toHaveLength(1);
    expect(await world.messages()).toHaveLength(1);
  });

  test("takes nothing of the allowance", async () => {
    await keyed("Built");
    await world.db.update(channelWebhooks).set({ allowance: 0, refilledAt: Date.now() + 60_000 });
    expect((await keyed("Built")).status).toBe(200);
    expect((await keyed("Built", "build 8")).status).toBe(429);
  });

  test("is another one from another webhook", async () => {
    await keyed("Built");
    const second = await world.webhook("Second");
    await world.post(second, { content: "Built" }, { "idempotency-key": "build 7" });
    expect(await world.messages()).toHaveLength(2);
  });
});

test("a post names people who read the channel, and asks no model", async () => {
  const content = [world.manager, world.other].map(({ id, name }) => `<@U:${id}|${name}>`).join(" ");
  await world.post(webhook, { content: `${content} <@M:parley-guide|Guide>` });
  const mentions = await world.db.select().from(channelMentions);
  expect(mentions.map(({ userId }) => userId)).toEqual([world.manager.id]);
  expect((await world.messages()).map(({ sender }) => sender)).toEqual([`webhook:${webhook.id}`]);
});

test("the token is in no log, no error, no row", async () => {
  const { token } = webhook;
  const said: string[] = [];
  for (const method of ["GET", "PUT", "DELETE"]) {
    const { status, body, headers } = await world.call(path(), { method });
    expect(status).toBe(404);
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    said.push(JSON.stringify(body));
  }
  said.push(JSON.stringify((await world.call(`${path()}/more`, { json: { content: "Hello" } })).body));
  said.push(JSON.stringify((await world.post(webhook, { content: "" })).body));
  await world.client.execute("ALTER TABLE channel_messages RENAME TO gone");
  said.push(JSON.stringify((await world.post(webhook, { content: "Hello" })).body));
  await world.client.execute("ALTER TABLE gone RENAME TO channel_messages");
  expect(world.logged.some(({ message }) => message === "request failed")).toBe(true);
  said.push(
    JSON.stringify(world.logged, (_key, value: unknown) =>
      value instanceof Error ? String(value.cause ?? value.message) : value,
    ),
  );
  const { rows } = await world.client.execute("SELECT * FROM channel_webhooks");
  said.push(JSON.stringify([rows, (await world.client.execute("SELECT * FROM audit_events")).rows]));
  expect(said.join("\n")).not.toContain(token);
});
