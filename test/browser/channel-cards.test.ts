import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChannelView } from "../../src/channels/schema.ts";
import type { WebhookView } from "../../src/channels/webhooks/schema.ts";
import { recordedPost } from "../channels/webhooks/recorded-posts.ts";
import { type ChannelsWorld, message, openChannelsWorld } from "./channels-world.ts";
import { findViolations } from "./find-violations.ts";
import type { PageOptions } from "./open-browser.ts";

let world: ChannelsWorld;
let channels = 0;
beforeAll(async () => {
  world = await openChannelsWorld();
});
afterAll(() => world.close());

interface Room {
  channel: ChannelView;
  webhook: WebhookView;
  /** Posts a recorded body to the webhook's address. */
  send: (name: string, change?: object) => Promise<void>;
}

/** A channel with a webhook. */
async function makeRoom(): Promise<Room> {
  const { ada, bo } = world;
  const channel = await world.makeChannel(`alerts-${++channels}`, [bo]);
  const path = `/api/v1/channels/${channel.id}/webhooks/create`;
  const webhook = await ada.call<WebhookView>("POST", path, { name: "Harbour bot" });
  return {
    channel,
    webhook,
    async send(name, change = {}) {
      const { address, headers = {}, body } = recordedPost(name);
      const { "x-github-delivery": _, ...kept } = headers;
      const response = await fetch(webhook.url! + address, {
        method: "POST",
        headers: { "content-type": "application/json", ...kept },
        body: JSON.stringify({ ...body, ...change }),
      });
      if (response.status !== 200) throw new Error(`${name}: ${response.status}`);
    },
  };
}

const width = (page: Page) => page.evaluate(() => [document.documentElement.scrollWidth, innerWidth] as const);

test.each<PageOptions>([
  { size: "desktop", theme: "light" },
  { size: "desktop", theme: "dark" },
  { size: "phone", theme: "light" },
  { size: "phone", theme: "dark" },
])("cards show what monitors and bots say, and can be read by everybody ($size, $theme)", async (options) => {
  const { channel, send } = await makeRoom();
  const page = await world.open(world.bo, `/channels/${channel.id}`, options);
  const names = ["alertmanager-mixed", "grafana-firing", "uptime-kuma-down", "slack-attachment", "slack-blocks"];
  for (const name of [...names, "discord-embed", "github-pull-request-opened", "github-push", "gotify"])
    await send(name);
  const alert = message(page, "InstanceDown");
  await alert.getByText("Firing (4)").waitFor();
  await alert.getByText("Resolved (1)").waitFor();
  await alert.getByText("and 3 more").waitFor();
  const title = alert.getByRole("link", { name: "InstanceDown", exact: true });
  await expect.poll(() => title.getAttribute("href")).toBe("http://alertmanager.example:9093/");
  await expect.poll(() => title.getAttribute("rel")).toContain("noreferrer");
  await message(page, "Tide API").getByText("Down", { exact: true }).waitFor();
  await message(page, "New request").getByRole("link", { name: "Open the request" }).waitFor();
  // A button that would call Slack back can do nothing here.
  await expect.poll(() => message(page, "New request").getByText("Approve").count()).toBe(0);
  await message(page, "All quays are open").locator("strong", { hasText: "quays" }).waitFor();
  await message(page, "#12 Show low water too").getByText("+31 −4").waitFor();
  // Two short fields stand side by side, at both widths.
  const [north, south] = await Promise.all(
    ["4 berths", "2 berths"].map((words) => page.getByText(words, { exact: true }).boundingBox()),
  );
  expect(Math.abs(north!.y - south!.y)).toBeLessThan(2);
  expect(north!.x).toBeLessThan(south!.x);
  await page.waitForLoadState("networkidle");
  // Nothing is loaded from another site before somebody asks for it.
  await expect.poll(() => page.locator('[role="log"] img[src*="i.example"]').count()).toBe(0);
  await expect.poll(() => message(page, "All quays are open").getByRole("button", { name: /Show/ }).count()).toBe(1);
  expect(await findViolations(page)).toEqual([]);
  const [scroll, inner] = await width(page);
  expect(scroll).toBeLessThanOrEqual(inner);
});

test("an alert that is resolved changes its first post in open tabs, and the thread has each step", async () => {
  const { channel, send } = await makeRoom();
  const page = await world.open(world.bo, `/channels/${channel.id}`);
  await send("alertmanager-firing");
  const first = message(page, "InstanceDown").first();
  await first.getByText("Firing (2)").waitFor();
  await send("alertmanager-resolved");
  await first.getByText("Resolved (2)").waitFor();
  await expect.poll(() => first.getByText("Firing").count()).toBe(0);
  await first.getByRole("link", { name: /^1 reply/ }).click();
  const thread = page.getByRole("complementary", { name: "Thread" });
  await expect.poll(() => thread.getByText("Resolved (2)").count()).toBe(2);
  await expect.poll(() => page.getByRole("log").first().getByRole("article").count()).toBe(1);
});

test("a name that a post brings stands with the webhook's, and its picture waits for a click", async () => {
  const { channel, send, webhook } = await makeRoom();
  const page = await world.open(world.bo, `/channels/${channel.id}`);
  await send("slack-jenkins");
  await send("discord-text");
  const jenkins = message(page, "harbour » main");
  await jenkins.getByText("Jenkins", { exact: true }).waitFor();
  await jenkins.getByText(`via ${webhook.name}`).waitFor();
  await jenkins.getByText("Webhook", { exact: true }).waitFor();
  await jenkins.getByText("👷").waitFor();
  const backup = message(page, "Nightly backup");
  await backup.getByRole("button", { name: "Show the picture of Backup from i.example" }).click();
  await expect.poll(() => backup.getByRole("button", { name: /Show the picture/ }).count()).toBe(0);
  const sources = await backup.locator("img").evaluateAll((all) => all.map((each) => each.getAttribute("src")));
  for (const source of sources) expect(source).toContain("/api/v1/images/proxy?url=");
});

test("search finds what a card says", async () => {
  const { channel, send } = await makeRoom();
  await send("grafana-firing");
  const page = await world.open(world.bo, `/channels/${channel.id}?panel=search`);
  const panel = page.getByRole("complementary", { name: "Search" });
  await panel.getByRole("searchbox").fill("zone eu-1");
  const found = panel.getByRole("link", { name: /Harbour bot/ });
  await found.waitFor();
  await expect.poll(() => found.innerText()).toContain("This alert was triggered for zone");
});

test("the panel says what to paste for each tool, sends a test as it does, and lists what came of it", async () => {
  const { channel, webhook } = await makeRoom();
  const page = await world.open(world.ada, `/channels/${channel.id}`);
  await page.getByRole("button", { name: "More channel actions" }).click();
  await page.getByRole("menuitem", { name: "Webhooks" }).click();
  const panel = page.getByRole("region", { name: "Webhooks", exact: true });
  await panel.getByRole("button", { name: "Harbour bot" }).click();
  await panel.getByText("Nothing has come to this address yet.").waitFor();
  const tools = await panel.getByLabel("What posts").locator("option").allInnerTexts();
  expect(tools.length).toBe(8);
  const requests = panel.getByRole("region", { name: "Latest requests" }).getByRole("listitem");
  for (const [at, tool] of tools.entries()) {
    await panel.getByLabel("What posts").selectOption(tool);
    const address = await panel.getByRole("group", { name: "Address" }).locator("code").innerText();
    expect(address.startsWith(webhook.url!)).toBe(true);
    await panel.getByRole("button", { name: "Send a test post" }).click();
    await expect.poll(() => requests.count()).toBe(at + 1);
    await expect.poll(() => requests.first().innerText()).toContain("Posted");
  }
  await expect.poll(() => requests.first().innerText()).toContain("Title and message");
  const said = page
    .getByRole("log")
    .getByRole("article")
    .filter({ hasText: "This is a test of the webhook Harbour bot." });
  await expect.poll(() => said.count()).toBe(tools.length);
  await fetch(`${webhook.url!}/github`, { method: "POST", body: "{}" });
  await panel.getByRole("button", { name: "Reload" }).click();
  await requests.first().getByText("Refused (422)").waitFor();
  await requests
    .first()
    .getByText(/X-GitHub-Event is missing/)
    .waitFor();
  expect(await findViolations(page)).toEqual([]);

  const threads = panel.getByRole("switch", { name: "Threads" });
  await threads.click();
  const listed = () => world.ada.call<WebhookView[]>("GET", `/api/v1/channels/${channel.id}/webhooks`);
  await expect.poll(async () => (await listed())[0]!.threads).toBe(false);
  await expect.poll(() => threads.isChecked()).toBe(false);
});
