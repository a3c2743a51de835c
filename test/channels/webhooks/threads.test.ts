import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HistoryPage } from "../../../src/channels/messages/schema.ts";
import { channelMembers, channelMessages, channelWebhookThreads } from "../../../src/channels/tables.ts";
import type { WebhookView } from "../../../src/channels/webhooks/schema.ts";
import { recordedPost } from "./recorded-posts.ts";
import { createWebhookWorld, type WebhookWorld } from "./webhook-world.ts";

let world: WebhookWorld;
let webhook: WebhookView;
beforeEach(async () => {
  world = await createWebhookWorld();
  webhook = await world.webhook();
});
afterEach(() => world.close());

/** Posts a recorded body. @returns the message's id */
async function send(name: string, change: Record<string, unknown> = {}, to = webhook): Promise<string> {
  const { address, headers = {}, body } = recordedPost(name);
  // Another delivery of the same body.
  const { "x-github-delivery": _, ...kept } = headers;
  const answer = await world.call<{ message_id: string }>(new URL(to.url!).pathname + address, {
    json: { ...body, ...change },
    headers: kept,
  });
  expect(answer.status).toBe(200);
  return answer.body.message_id;
}

const history = async (parentId?: string) => {
  const query = parentId === undefined ? "" : `?parent_id=${parentId}`;
  const path = `/api/v1/channels/${world.channelId}/history${query}`;
  return (await world.call<HistoryPage>(path, { as: world.member })).body.messages;
};
const change = (json: unknown) =>
  world.call<WebhookView>(`/api/v1/channels/${world.channelId}/webhooks/${webhook.id}/update`, {
    json,
    as: world.manager,
  });

describe("alerts of one group", () => {
  test("are a thread, whose first post says how things are now", async () => {
    const first = await send("alertmanager-firing");
    await send("alertmanager-mixed");
    const last = await send("alertmanager-resolved");
    const [head, ...more] = await history();
    expect(more).toEqual([]);
    expect(head).toMatchObject({ id: first, reply_count: 2, edited_at: null });
    expect(head!.card!.parts[0]!.state).toEqual({ kind: "good", word: "Resolved" });
    expect(head!.content).toContain("🟢 Resolved (2)");
    const thread = await history(first);
    expect(thread.map(({ card }) => card!.parts[0]!.state!.word)).toEqual(["Resolved", "Firing", "Resolved"]);
    expect(thread.at(-1)).toMatchObject({ id: last, parent_id: first });
    await world.settled();
    const told = world.told.map(({ event }) => event.type);
    expect(told.slice(-2)).toEqual(["channel:message", "channel:message:update"]);
  });

  test("that fire again after they were resolved are new; a late resolution belongs to the last", async () => {
    const first = await send("alertmanager-firing");
    await send("alertmanager-resolved");
    await send("alertmanager-resolved");
    const second = await send("alertmanager-firing");
    await send("alertmanager-resolved");
    const top = await history();
    expect(top.map(({ id, reply_count }) => [id, reply_count])).toEqual([
      [first, 2],
      [second, 1],
    ]);
  });

  test("by many at once have one first post", async () => {
    await Promise.all(Array.from({ length: 12 }, () => send("alertmanager-firing")));
    const top = await history();
    expect(top).toHaveLength(1);
    expect(top[0]!.reply_count).toBe(11);
    expect(await world.db.select().from(channelWebhookThreads)).toHaveLength(1);
  });

  test("of another group, or by another webhook, are others", async () => {
    await send("alertmanager-firing");
    await send("alertmanager-firing", { groupKey: '{}:{alertname="Other"}' });
    await send("alertmanager-firing", {}, await world.webhook("Second"));
    expect(await history()).toHaveLength(3);
  });

  test("without a group of their own go by their fingerprint", async () => {
    const [alert] = recordedPost("alertmanager-firing").body["alerts"] as Record<string, unknown>[];
    const one = (fingerprint: string) =>
      send("alertmanager-firing", { groupKey: "{}:{}", alerts: [{ ...alert, fingerprint }] });
    await one("aaaa");
    await one("bbbb");
    await one("aaaa");
    expect((await history()).map(({ reply_count }) => reply_count)).toEqual([1, 0]);
  });
});

test("a monitor of Uptime Kuma that comes back closes its thread", async () => {
  const first = await send("uptime-kuma-down");
  await send("uptime-kuma-up");
  const second = await send("uptime-kuma-down");
  const top = await history();
  expect(top.map(({ id, card }) => [id, card!.parts[0]!.state!.word])).toEqual([
    [first, "Up"],
    [second, "Down"],
  ]);
});

test("a pull request is one thread: its first post keeps its text and shows the state of now", async () => {
  const first = await send("github-pull-request-opened");
  await send("github-pull-request-merged", {
    pull_request: {
      ...(recordedPost("github-pull-request-merged").body["pull_request"] as object),
      title: "Show *it*",
    },
  });
  const [head, ...more] = await history();
  expect(more).toEqual([]);
  expect(head!.card!.parts[0]).toMatchObject({
    state: { kind: "info", word: "Merged" },
    title: "#12 Show *it*",
    text: "Shows **low water** beside high water.",
  });
  const [line, ...rest] = head!.content.split("\n");
  expect(line).toBe(String.raw`🔵 Merged · **[#12 Show \*it\*](https://github.com/harbour/tide/pull/12)**`);
  expect(rest.join("\n")).toContain("Shows **low water**");
  expect(head).toMatchObject({ id: first, reply_count: 1 });
});

test("events about an issue that have no state stand below it and leave its state", async () => {
  await send("github-issue-opened");
  await send("github-issue-comment");
  const [head, ...more] = await history();
  expect(more).toEqual([]);
  expect(head).toMatchObject({ reply_count: 1 });
  expect(head!.card!.parts[0]!.state!.word).toBe("Open");
});

test("a run of a workflow is one thread from its request to its end", async () => {
  await send("github-workflow-run-requested");
  await send("github-workflow-run-failed");
  const [head, ...more] = await history();
  expect(more).toEqual([]);
  expect(head!.card!.parts[0]!.state).toEqual({ kind: "bad", word: "Failed" });
});

test("a delivery of GitHub that is sent again is the same post", async () => {
  const { headers, body } = recordedPost("github-release");
  const deliver = () =>
    world.call<{ message_id: string }>(`${new URL(webhook.url!).pathname}/github`, { json: body, headers: headers! });
  const [first, again] = [await deliver(), await deliver()];
  expect(again.body).toEqual(first.body);
  expect(await history()).toHaveLength(1);
});

test("posts stand by themselves while the webhook has no threads, which is a change in the audit", async () => {
  const changed = await change({ threads: false });
  expect(changed.body).toMatchObject({ threads: false, name: webhook.name, url: webhook.url });
  await send("alertmanager-firing");
  await send("alertmanager-resolved");
  expect((await history()).map(({ card }) => card!.parts[0]!.state!.word)).toEqual(["Firing", "Resolved"]);
  expect((await change({ threads: true })).body.threads).toBe(true);
  expect((await change({})).body.threads).toBe(true);
  const { rows } = await world.client.execute(
    "SELECT json_extract(detail, '$.threads') AS threads FROM audit_events WHERE action = 'channel_webhook.updated'",
  );
  expect(rows.map(({ threads }) => threads)).toEqual([0, 1]);
});

test("a first post that was deleted, or edited by somebody, is left alone", async () => {
  const admin = await world.admin();
  await world.db.insert(channelMembers).values({ channelId: world.channelId, userId: admin.id, joinedAt: Date.now() });
  const first = await send("alertmanager-firing");
  const path = `/api/v1/channels/${world.channelId}/messages/${first}`;
  await world.call(`${path}/update`, { json: { content: "Mia looks after it" }, as: admin });
  await send("alertmanager-mixed");
  const [edited] = await history();
  expect(edited).toMatchObject({ content: "Mia looks after it", reply_count: 1 });
  expect(edited).not.toHaveProperty("card");
  await world.call(`${path}/delete`, { method: "DELETE", as: world.manager });
  const next = await send("alertmanager-mixed");
  const top = await history();
  expect(top.map(({ id }) => id)).toEqual([first, next]);
  expect(top[0]).toMatchObject({ content: "" });
});

test("a thread goes with the messages and with its webhook", async () => {
  const first = await send("alertmanager-firing");
  await world.db.delete(channelMessages).where(eq(channelMessages.id, first));
  expect(await world.db.select().from(channelWebhookThreads)).toEqual([]);
  await send("alertmanager-firing");
  await world.call(`/api/v1/channels/${world.channelId}/webhooks/${webhook.id}/delete`, {
    method: "DELETE",
    as: world.manager,
  });
  expect(await world.db.select().from(channelWebhookThreads)).toEqual([]);
});

test("a post into a thread costs two round trips, and takes nothing where it is refused", async () => {
  await send("alertmanager-firing");
  world.roundTrips.reset();
  await send("alertmanager-mixed");
  expect(world.roundTrips.count).toBe(2);
  await world.client.execute(`UPDATE channel_webhooks SET allowance = 0, refilled_at = ${Date.now() + 60_000}`);
  const refused = await world.post(webhook, recordedPost("alertmanager-resolved").body);
  expect(refused.status).toBe(429);
  const [head] = await history();
  expect(head).toMatchObject({ reply_count: 1 });
  expect(head!.card!.parts[0]!.state!.word).toBe("Firing");
  const [thread] = await world.db.select().from(channelWebhookThreads);
  expect(thread!.isOpen).toBe(true);
});
