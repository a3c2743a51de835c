import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HistoryPage } from "../../../src/channels/messages/schema.ts";
import type { ChannelMessage } from "../../../src/channels/schema.ts";
import { channelMentions } from "../../../src/channels/tables.ts";
import { maxPostBytes, type WebhookRequest, type WebhookView } from "../../../src/channels/webhooks/schema.ts";
import { recordedPost } from "./recorded-posts.ts";
import { createWebhookWorld, type WebhookWorld } from "./webhook-world.ts";

let world: WebhookWorld;
let webhook: WebhookView;
beforeEach(async () => {
  world = await createWebhookWorld({ environment: { CHANNEL_WEBHOOK_BURST: "10000" } });
  webhook = await world.webhook();
});
afterEach(() => world.close());

const path = (end = "") => new URL(webhook.url!).pathname + end;
const send = (json: unknown, end = "", headers: Record<string, string> = {}) =>
  world.call<Record<string, unknown>>(path(end), { json, headers });
const latest = async (): Promise<ChannelMessage> => {
  const at = `/api/v1/channels/${world.channelId}/history?limit=1`;
  return (await world.call<HistoryPage>(at, { as: world.member })).body.messages[0]!;
};
const requests = async () => {
  const at = `/api/v1/channels/${world.channelId}/webhooks/${webhook.id}/requests`;
  return (await world.call<WebhookRequest[]>(at, { as: world.manager })).body;
};

describe("Slack's address", () => {
  test("takes JSON and forms with a payload, over both paths, and answers ok", async () => {
    const short = path("/slack").replace("/api/v1/", "/api/");
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams({ payload: JSON.stringify({ text: "By *form*" }) }).toString();
    for (const at of [path("/slack"), short, `${short}/`]) {
      for (const options of [{ json: { text: "By *JSON*" } }, { method: "POST", body, headers: form }]) {
        const answer = await world.call<string>(at, options);
        expect([answer.status, answer.body]).toEqual([200, "ok"]);
        expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
      }
    }
    expect((await latest()).content).toBe("By **form**");
  });

  test("refuses what is no payload", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const post = (body: string, headers: Record<string, string> = {}) =>
      world.call(path("/slack"), { method: "POST", body, headers });
    expect((await post("payload={", form)).status).toBe(400);
    expect((await post("text=Hello", form)).status).toBe(400);
    expect((await post("--x", { "content-type": "multipart/form-data; boundary=x" })).status).toBe(415);
    expect((await post("[]")).status).toBe(422);
    expect((await send({ text: "  ", blocks: [{ type: "divider" }] }, "/slack")).body["detail"]).toContain(
      "form of Slack",
    );
    expect(await world.messages()).toEqual([]);
  });
});

describe("GitHub's address", () => {
  test("takes forms with a payload too, as GitHub sends them by itself", async () => {
    const { headers, body } = recordedPost("github-push");
    const form = new URLSearchParams({ payload: JSON.stringify(body) }).toString();
    const { status } = await world.call(path("/github").replace("/api/v1/", "/api/"), {
      method: "POST",
      body: form,
      headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
    });
    expect(status).toBe(200);
    expect((await latest()).content).toContain("2 commits to main");
  });

  test("needs to know the event, and the plain address says where its deliveries belong", async () => {
    const { body } = recordedPost("github-push");
    expect((await send(body, "/github")).status).toBe(422);
    expect((await send(body, "/github", { "x-github-event": "<script>" })).status).toBe(422);
    const plain = await send(body);
    expect(plain.status).toBe(422);
    expect(plain.body["detail"]).toContain("/github");
  });
});

test("an address that is not valid is 401 everywhere, and learns nothing of the body", async () => {
  for (const end of ["/slack", "/github"]) {
    const at = `${path().slice(0, -4)}AAAA${end}`;
    for (const json of [{}, { text: "Hello" }]) {
      const { status, body } = await world.call(at, { json, headers: { "x-github-event": "push" } });
      expect(status).toBe(401);
      expect(JSON.stringify(body)).not.toMatch(/Slack|GitHub|form/);
    }
  }
  expect(await requests()).toEqual([]);
});

test("a card is data beside the text: search finds it, and a deleted message has none", async () => {
  await send(recordedPost("alertmanager-firing").body);
  const { id, card } = await latest();
  expect(card!.parts[0]!.lists[0]!.items).toHaveLength(2);
  const search = `/api/v1/channels/search?q=${encodeURIComponent("db2.example node")}`;
  const found = await world.call<{ messages: ChannelMessage[] }>(search, { as: world.member });
  expect(found.body.messages.map((each) => each.id)).toEqual([id]);
  await world.call(`/api/v1/channels/${world.channelId}/messages/${id}/delete`, {
    method: "DELETE",
    as: world.manager,
  });
  const { rows } = await world.client.execute("SELECT card, shown_as, content FROM channel_messages");
  expect(rows).toMatchObject([{ card: null, shown_as: null, content: "" }]);
});

test("a plain post is in no way different from before", async () => {
  await send({ content: "Tide is **in**" });
  const message = await latest();
  expect(message).not.toHaveProperty("card");
  expect(message.user).not.toHaveProperty("shown_as");
  expect(message.user.name).toBe("Deploys");
});

describe("a name and picture that a post brings", () => {
  const post = { text: "Hello", username: "  CI\n\u202e bot ", icon_url: "https://i.example/ci.png" };

  test("are shown beside the webhook's own, for that post", async () => {
    await send(post);
    expect((await latest()).user).toMatchObject({
      name: "Deploys",
      role: "webhook",
      shown_as: { name: "CI bot", picture_url: "https://i.example/ci.png" },
    });
    await send({ text: "Hello", icon_emoji: ":rocket:" });
    expect((await latest()).user.shown_as).toEqual({ emoji: "🚀" });
    await send({ text: "Hello", username: " \u200b", icon_url: "javascript:alert(1)", icon_emoji: ":nothing:" });
    expect((await latest()).user).not.toHaveProperty("shown_as");
  });

  test("are left out where the setting is off", async () => {
    const json = { ENABLE_CHANNEL_WEBHOOK_NAMES: false };
    await world.call("/api/v1/auths/admin/config", { json, as: await world.admin() });
    await send(post);
    expect((await latest()).user).not.toHaveProperty("shown_as");
  });
});

describe("too long a text", () => {
  test("is cut with a mark where the form is another's", async () => {
    for (const text of ["é".repeat(20_000), "x".repeat(maxPostBytes + 1), "🚢".repeat(9000)]) {
      expect((await send({ text })).status).toBe(200);
      const { content } = await latest();
      expect(content.endsWith(" … (cut)")).toBe(true);
      expect(new TextEncoder().encode(content).length).toBeLessThanOrEqual(maxPostBytes);
      expect(content.isWellFormed()).toBe(true);
    }
    const text = "x".repeat(maxPostBytes);
    await send({ text });
    expect((await latest()).content).toBe(text);
  });

  test("is cut in cards, which stay small as a whole", async () => {
    const value = "v".repeat(3000);
    const attachments = Array.from({ length: 12 }, (_, at) => ({
      title: `Part ${at}`,
      text: value,
      fields: Array.from({ length: 26 }, () => ({ title: "Field", value })),
    }));
    expect((await send({ attachments })).status).toBe(200);
    const [row] = (await world.client.execute("SELECT length(card) AS size, content FROM channel_messages")).rows;
    expect(row!["size"]).toBeLessThan(20_000);
    expect(row!["content"]).toContain("(cut)");
  });
});

describe("what says nothing is 422 and tells how it was understood", () => {
  test.each<[string, unknown, string]>([
    ["a blank text", { text: " " }, "form of Slack"],
    ["attachments without anything", { attachments: [{ color: "#123456", foo: 1 }, {}], text: "" }, "form of Slack"],
    ["an empty embed", { embeds: [{}] }, "form of Discord"],
    ["only a name", { content: "", username: "Bot" }, "form of Discord"],
    ["a blank message", { message: "" }, "form of Title and message"],
    ["fields of nobody", { foo: 1, bar: 2 }, "foo, bar"],
    ["an empty object", {}, "content: expected text"],
  ])("%s", async (_name, json, words) => {
    const { status, body } = await send(json);
    expect(status).toBe(422);
    expect(body["detail"]).toContain(words);
    expect((await requests())[0]).toMatchObject({ status: 422, reason: body["detail"], message_id: null });
  });
});

describe("the latest requests", () => {
  test("are ten, newest first, with what came of them", async () => {
    for (let at = 0; at < 12; at++) await send({ text: `Post ${at}` });
    const answer = await world.post(webhook, { content: "Last" }, { "idempotency-key": "one" });
    await world.post(webhook, { content: "Last" }, { "idempotency-key": "one" });
    const all = await requests();
    expect(all).toHaveLength(10);
    expect(all[0]).toMatchObject({ format: "Parley", status: 200, reason: "Sent again: it was posted before" });
    expect(all[1]).toMatchObject({ status: 200, reason: null, message_id: answer.body["message_id"] });
    expect(all[2]!.format).toBe("Slack");
    const { rows } = await world.client.execute("SELECT count(*) AS n FROM channel_webhook_requests");
    expect(rows[0]!["n"]).toBe(10);
  });

  test("have refusals of one kind once in a second, and neither tokens nor bodies", async () => {
    for (let at = 0; at < 5; at++) await world.post(webhook, "secret{");
    await world.client.execute(`UPDATE channel_webhooks SET allowance = 0, refilled_at = ${Date.now() + 60_000}`);
    for (let at = 0; at < 5; at++) await send({ content: "secret" });
    const all = await requests();
    expect(all.map(({ status }) => status)).toEqual([429, 400]);
    const stored = JSON.stringify((await world.client.execute("SELECT * FROM channel_webhook_requests")).rows);
    expect(stored).not.toContain("secret");
    expect(stored).not.toContain(webhook.token);
  });

  test("are for those who manage the channel", async () => {
    const at = `/api/v1/channels/${world.channelId}/webhooks/${webhook.id}/requests`;
    expect((await world.call(at, { as: world.member })).status).toBe(403);
    expect((await world.call(at, { as: world.other })).status).toBe(404);
    const other = `/api/v1/channels/${await world.addChannel()}/webhooks/${webhook.id}/requests`;
    expect((await world.call(other, { as: world.manager })).status).toBe(404);
    expect((await world.call(at, { as: await world.admin() })).status).toBe(200);
  });
});

test("whatever is said in any form, it calls nobody and asks no model", async () => {
  const call = `<@U:${world.member.id}|Noa> <<@U:1|U:${world.member.id}|z>> <@M:parley-guide|Guide>`;
  const slack = `&lt;@U:${world.member.id}|Noa> <!here>`;
  for (const json of [
    { text: `${call} ${slack}` },
    { text: `${"<@U:x|y> ".repeat(60)} ${call}` },
    {
      blocks: [
        { type: "section", text: { type: "mrkdwn", text: slack } },
        { type: "header", text: { text: call } },
      ],
    },
    { attachments: [{ title: call, fields: [{ title: call, value: slack }], footer: call }] },
    { content: call, username: `<@U:${world.member.id}|Noa>` },
    { embeds: [{ title: call, description: call }] },
    { title: call, message: call },
    { ...recordedPost("alertmanager-firing").body, commonAnnotations: { summary: call } },
    { ...recordedPost("uptime-kuma-down").body, msg: call, monitor: { name: call } },
  ])
    expect((await send(json)).status).toBe(200);
  expect(await world.db.select().from(channelMentions)).toEqual([]);
  const messages = await world.messages();
  expect(messages.every(({ sender }) => sender === `webhook:${webhook.id}`)).toBe(true);
  const said = JSON.stringify(messages.map(({ content, card, shownAs }) => [content, card, shownAs]));
  expect(said).not.toMatch(/<@[UM]:/);
});

test("any JSON at all is posted or is 422", async () => {
  const keys = fc.constantFrom(
    ..."text content title message body blocks attachments embeds fields value type elements url color alerts labels annotations".split(
      " ",
    ),
    ..."groupKey orgId status heartbeat monitor msg username icon_url repository sender action pull_request commits".split(
      " ",
    ),
  );
  const leaf = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom(
      "section",
      "rich_text",
      "header",
      "actions",
      "<@U:1|a>",
      "*a*",
      "\ud800",
      "https://x.example/",
      "a\u0000b",
    ),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 5, depthSize: "small" }, leaf, fc.array(tie("value"), { maxLength: 4 }), tie("record")),
    record: fc.dictionary(keys, tie("value"), { maxKeys: 8 }),
  }));
  const ends = fc.constantFrom("", "/slack", "/github");
  const events = fc.constantFrom("push", "pull_request", "issues", "release", "workflow_run", "ping", "fork");
  await fc.assert(
    fc.asyncProperty(fc.dictionary(keys, value, { maxKeys: 8 }), ends, events, async (body, end, event) => {
      const { status } = await send(body, end, { "x-github-event": event });
      expect([200, 422]).toContain(status);
    }),
    { numRuns: 400 },
  );
  const messages = await world.messages();
  expect(messages.length).toBeGreaterThan(20);
  expect(await world.db.select().from(channelMentions)).toEqual([]);
  for (const { content, card } of messages) {
    expect(content.trim()).not.toBe("");
    expect(JSON.stringify(card) ?? "").not.toMatch(/<@U:/);
  }
});
