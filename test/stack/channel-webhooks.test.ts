import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { IncomingWebhook } from "@slack/webhook";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChannelMessage } from "../../src/channels/schema.ts";
import type { WebhookView } from "../../src/channels/webhooks/schema.ts";
import { ada, callApi, signUpByApi } from "../browser/accounts.ts";
import { recordedPost } from "../channels/webhooks/recorded-posts.ts";
import { type Parley, startParley } from "./start-parley.ts";

let parley: Parley;
let token: string;
let channelId: string;
/** A rate that a test reaches in moments. */
const limits = { CHANNEL_WEBHOOK_RATE: "600", CHANNEL_WEBHOOK_BURST: "20" };

beforeAll(async () => {
  parley = await startParley({ env: limits });
  ({ token } = await signUpByApi(parley.url, ada));
  ({ id: channelId } = await api<{ id: string }>("POST", "/api/v1/channels/create", {
    name: "deploys",
    type: "group",
  }));
});
afterAll(() => parley.stop());

const api = <T>(method: string, path: string, body?: object): Promise<T> =>
  callApi<T>(parley.url, token, method, path, body);
const makeWebhook = (name: string) =>
  api<WebhookView>("POST", `/api/v1/channels/${channelId}/webhooks/create`, { name });

async function contents(): Promise<string[]> {
  const found: ChannelMessage[] = [];
  for (;;) {
    const page = await api<ChannelMessage[]>(
      "GET",
      `/api/v1/channels/${channelId}/messages?skip=${found.length}&limit=50`,
    );
    found.push(...page);
    if (page.length < 50) break;
  }
  const seqs = found.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((a, b) => b - a));
  return found.map(({ content }) => content).toReversed();
}

const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Posts as a careful bot does: with a key, and again after as long as it is told. @returns how often it was told to wait */
async function post(url: string, content: string): Promise<number> {
  for (let refused = 0; ; refused++) {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": content },
      body: JSON.stringify({ content }),
    });
    const { success, message_id } = (await response.json()) as { success?: boolean; message_id?: string };
    if (success && message_id) return refused;
    const seconds = Number(response.headers.get("retry-after"));
    if (response.status !== 429 || !(seconds >= 1)) throw new Error(`${response.status}, Retry-After ${seconds}`);
    await wait(seconds);
  }
}

test("bots at full speed that wait as they are told have all posts in the channel, each once", async () => {
  const { url } = await makeWebhook("Bot");
  const bots = Array.from({ length: 8 }, async (_, bot) => {
    let refused = 0;
    for (let at = 0; at < 20; at++) refused += await post(url!, `bot ${bot}, post ${at}`);
    return refused;
  });
  const refused = (await Promise.all(bots)).reduce((sum, each) => sum + each, 0);
  // Not a few of 160 posts are more than the burst and what comes back meanwhile.
  expect(refused).toBeGreaterThan(0);
  const said = await contents();
  expect(said).toHaveLength(160);
  expect(new Set(said).size).toBe(160);
});

test("a line of curl posts, over the contract's path too; the token is in nothing that is printed", async () => {
  const webhook = await makeWebhook("Shell");
  const curl = (url: string, content: string) =>
    JSON.parse(
      execFileSync("curl", [
        "-sS",
        url,
        "-H",
        "Content-Type: application/json",
        "-d",
        JSON.stringify({ content }),
      ]).toString(),
    ) as { success: boolean };
  expect(curl(webhook.url!, "By its address").success).toBe(true);
  expect(curl(webhook.url!.replace("/api/v1/", "/api/"), "By the contract's").success).toBe(true);
  // What nobody answers, and what breaks on the way.
  await fetch(webhook.url!);
  await fetch(`${webhook.url!}/more`, { method: "POST", body: "{}" });
  await fetch(webhook.url!, { method: "POST", body: "x".repeat(300_000) });
  await fetch(webhook.url!, { method: "POST", body: '{"content": "a\\u0000b"}' });
  expect((await contents()).slice(-3)).toEqual(["By its address", "By the contract's", "a\u0000b"]);
  expect(parley.output).not.toContain(webhook.token);
  expect(parley.output).not.toContain(createHash("sha256").update(webhook.token!).digest("hex"));
});

test("Slack's own client, curl with GitHub's delivery, and alerts post as they are", async () => {
  const webhook = await makeWebhook("Tools");
  const slack = new IncomingWebhook(`${webhook.url!}/slack`, { username: "CI" });
  expect(await slack.send("Ship *ahoy* <https://ci.example|build>")).toEqual({ text: "ok" });
  expect(
    await slack.send({
      attachments: [{ color: "danger", title: "Build 7", fields: [{ title: "Branch", value: "main", short: true }] }],
    }),
  ).toEqual({ text: "ok" });
  await expect(slack.send({ text: " " })).rejects.toMatchObject({ statusCode: 422 });

  const { headers = {}, body } = recordedPost("github-pull-request-opened");
  const given = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const form = `payload=${encodeURIComponent(JSON.stringify(body))}`;
  const line = ["-sS", `${webhook.url!.replace("/api/v1/", "/api/")}/github`, ...given, "-d", form];
  expect(JSON.parse(execFileSync("curl", line).toString())).toMatchObject({ success: true });
  for (const name of ["alertmanager-firing", "grafana-firing", "uptime-kuma-down", "alertmanager-resolved"]) {
    const response = await fetch(webhook.url!, { method: "POST", body: JSON.stringify(recordedPost(name).body) });
    expect([name, response.status]).toEqual([name, 200]);
  }

  const messages = await api<ChannelMessage[]>("GET", `/api/v1/channels/${channelId}/messages?limit=6`);
  expect(messages.map(({ card, content }) => card?.parts[0]?.title ?? content)).toEqual([
    "Tide API",
    "Harbour (blue)",
    "InstanceDown",
    "#12 Show low water too",
    "Build 7",
    "Ship **ahoy** [build](https://ci.example/)",
  ]);
  expect(messages[2]).toMatchObject({ reply_count: 1 });
  expect(messages[2]!.card!.parts[0]!.state!.word).toBe("Resolved");
  expect(messages[5]!.user).toMatchObject({ name: "Tools", role: "webhook", shown_as: { name: "CI" } });
  expect(parley.output).not.toContain(webhook.token);
});

test("a deleted webhook is dead at once, also for those who post at that moment", async () => {
  const webhook = await makeWebhook("Gone");
  const send = async () =>
    (await fetch(webhook.url!, { method: "POST", body: JSON.stringify({ content: "Still there" }) })).status;
  expect(await send()).toBe(200);
  const sent: Promise<number>[] = [send(), send(), send()];
  await api("DELETE", `/api/v1/channels/${channelId}/webhooks/${webhook.id}/delete`);
  expect(await send()).toBe(401);
  for (const status of await Promise.all(sent)) expect([200, 401]).toContain(status);
  const messages = await api<ChannelMessage[]>("GET", `/api/v1/channels/${channelId}/messages?limit=1`);
  expect(messages[0]!.user).toMatchObject({ name: "Deleted webhook", role: "webhook", is_deleted: true });
});

test("an acknowledged post outlives kill -9, and is the same one when it is sent again", async () => {
  const { url } = await makeWebhook("Survivor");
  await post(url!, "before the end");
  await parley.kill9All();
  await parley.restart();
  await post(url!, "before the end");
  await post(url!, "after it");
  expect((await contents()).filter((text) => /before the end|after it/.test(text))).toEqual([
    "before the end",
    "after it",
  ]);
});
