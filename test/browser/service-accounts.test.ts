import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";
import { takePicture } from "./take-picture.ts";

let parley: Parley;
let browser: TestBrowser;
let upstream: ReplayServer;
let token: string;
beforeAll(async () => {
  [browser, upstream] = await Promise.all([openBrowser(), startReplayServer({ fixtures: ["openai"] })]);
  parley = await startParley({ env: { ENABLE_API_KEYS: "true", OPENAI_API_BASE_URLS: upstream.url } });
  ({ token } = await signUpByApi(parley.url, ada));
});
afterAll(async () => {
  await browser.close();
  await Promise.all([parley.stop(), upstream.close()]);
});

async function open(size: "desktop" | "phone" = "desktop"): Promise<Page> {
  const page = await browser.openPage({ baseURL: parley.url, size });
  await signInContext(page, parley.url, ada);
  return page;
}
const statusOf = async (key: string, route: string, method = "GET") =>
  (await fetch(parley.url + route, { method, headers: { authorization: `Bearer ${key}` } })).status;
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

/** The secret that a dialog shows, once. */
async function takeSecret(dialog: Locator): Promise<string> {
  await dialog.getByText("This is the only time it is shown").waitFor();
  const secret = /sk-[\w-]+/.exec(await dialog.innerText())![0];
  await dialog.page().keyboard.press("Escape");
  await dialog.getByText("Close without copying? The key can't be shown again").waitFor();
  await dialog.getByRole("button", { name: "Close without copying" }).click();
  await dialog.waitFor({ state: "hidden" });
  return secret;
}

test("an administrator makes a service account and a key for a monitor, rotates it and deletes it", async () => {
  const page = await open();
  await page.goto("/admin/people");
  await page.getByRole("button", { name: "Add a service account" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a service account" });
  await dialog.getByRole("button", { name: "Add service account" }).click();
  await dialog.getByText("Enter a name.").waitFor();
  await dialog.getByLabel("Name").fill("Uptime monitor");
  await dialog.getByLabel("What it is for").fill("Asks every minute whether a model answers");
  await dialog.getByLabel("Free probes per hour").fill("1000");
  await dialog.getByRole("button", { name: "Add service account" }).click();
  await dialog.getByText("Enter a whole number from 0 to 360.").waitFor();
  await dialog.getByLabel("Free probes per hour").fill("60");
  await dialog.getByRole("button", { name: "Add service account" }).click();
  await page.getByText("The service account Uptime monitor was added.").waitFor();
  await row(page, "Uptime monitor").getByText("Service account").waitFor();

  const panel = page.getByRole("complementary", { name: "Service account" });
  await panel.getByText("Asks every minute whether a model answers").waitFor();
  await panel.getByText("60 per hour").waitFor();
  await panel.getByText("No keys yet.").waitFor();
  await panel.getByRole("button", { name: "New key" }).click();
  const making = page.getByRole("dialog", { name: "New key" });
  await making.getByLabel("Name").fill("Kuma");
  await making.getByRole("button", { name: "Create key" }).click();
  const first = await takeSecret(page.getByRole("dialog", { name: "Copy the key Kuma" }));
  expect(await statusOf(first, "/api/models")).toBe(200);
  expect(await statusOf(first, "/api/v1/users/groups")).toBe(401);
  await panel.getByRole("list", { name: "Keys of this account" }).getByText("2 endpoints").waitFor();

  await panel.getByRole("button", { name: "Actions for the key Kuma" }).click();
  await page.getByRole("menuitem", { name: "Rotate" }).click();
  const rotating = page.getByRole("dialog", { name: "Rotate the key Kuma" });
  await rotating.getByLabel("The old secret works").selectOption("For one more day");
  await rotating.getByRole("button", { name: "Rotate key" }).click();
  const second = await takeSecret(page.getByRole("dialog", { name: "Copy the key Kuma" }));
  expect([await statusOf(first, "/api/models"), await statusOf(second, "/api/models")]).toEqual([200, 200]);
  await expect.poll(() => panel.getByRole("button", { name: "Actions for the key Kuma" }).count()).toBe(2);

  await panel.getByRole("button", { name: "Actions for the key Kuma" }).first().click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete key" }).click();
  await expect.poll(() => panel.getByRole("button", { name: "Actions for the key Kuma" }).count()).toBe(1);
  expect(await statusOf(second, "/api/models")).toBe(401);
});

test("a key for chosen endpoints names those that do not exist", async () => {
  const { id } = await callApi<{ id: string }>(parley.url, token, "POST", "/api/v1/users/service_accounts", {
    name: "Night bot",
  });
  const page = await open();
  await page.goto(`/admin/people?person=${id}`);
  const panel = page.getByRole("complementary", { name: "Service account" });
  await panel.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog", { name: "New key" });
  await dialog.getByLabel("What it can call").selectOption("Only these endpoints");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByText("Add at least one endpoint.").waitFor();
  await dialog.getByLabel("Add an endpoint").fill("/api/model");
  await page.keyboard.press("Enter");
  await dialog.getByText("This endpoint doesn't exist").waitFor();
  await dialog.getByRole("button", { name: "Use /api/models", exact: true }).click();
  await dialog.getByLabel("Ends after").selectOption("Never");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = await takeSecret(page.getByRole("dialog", { name: "Copy the key API key" }));
  expect(await statusOf(key, "/api/models")).toBe(200);
  expect(await statusOf(key, "/api/chat/completions", "POST")).toBe(401);
});

test("it is shown as what it is in lists, keys, channels, usage and the audit log", async () => {
  const { id } = await callApi<{ id: string }>(parley.url, token, "POST", "/api/v1/users/service_accounts", {
    name: "Deploy bot",
    role: "admin",
    free_probes: 10,
  });
  const path = `/api/v1/users/${id}/api_keys`;
  const { api_key: key } = await callApi<{ api_key: string }>(parley.url, token, "POST", path, { name: "ci" });
  const channel = await callApi<{ id: string }>(parley.url, key, "POST", "/api/v1/channels/create", {
    name: "deploys",
    is_private: false,
  });
  await callApi(parley.url, key, "POST", `/api/v1/channels/${channel.id}/messages/post`, { content: "Deployed 1.2" });
  await fetch(`${parley.url}/api/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "x-parley-probe": "1" },
    body: JSON.stringify({ model: "openai", max_tokens: 100, messages: [{ role: "user", content: "pong" }] }),
  });

  const page = await open();
  await page.goto("/admin/people?role=service");
  await row(page, "Deploy bot").getByText("Service account").waitFor();
  await expect.poll(() => row(page, ada.email).count()).toBe(0);
  await pressLink(page, "/admin/keys");
  await row(page, "Deploy bot").getByText("Service account", { exact: true }).waitFor();
  await pressLink(page, `/admin/audit?actor=${id}`);
  await page.getByText("Deploy bot").first().waitFor();
  await page.getByText("(service account)").first().waitFor();
  await pressLink(page, "/admin/usage");
  await row(page, "Deploy bot").getByText("Free probe").waitFor();
  await pressLink(page, `/channels/${channel.id}`);
  const message = page.getByRole("article").filter({ hasText: "Deployed 1.2" });
  await message.getByText("Service account").waitFor();
});

describe.each(["desktop", "phone"] as const)("on a %s", (size) => {
  test("the panel and its dialogs break no rule of WCAG, and fit", async () => {
    const { id } = await callApi<{ id: string }>(parley.url, token, "POST", "/api/v1/users/service_accounts", {
      name: `Monitor ${size}`,
      bio: "Asks every minute",
      free_probes: 60,
    });
    await callApi(parley.url, token, "POST", `/api/v1/users/${id}/api_keys`, {
      name: "Kuma",
      allowed_endpoints: "GET /api/models",
      expires_at: Math.floor(Date.now() / 1000) + 86_400 * 30,
    });
    await callApi(parley.url, token, "POST", `/api/v1/users/${id}/api_keys`, { name: "Everything" });
    const page = await open(size);
    const problems: Record<string, unknown> = {};
    const check = async (name: string) => {
      for (const theme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: theme });
        const found = await findViolations(page);
        if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) found.push("too wide");
        if (found.length > 0) problems[`${name} ${theme}`] = found;
        await takePicture(page, `${name}-${size}-${theme}`);
      }
    };
    await page.goto("/admin/people");
    await page.getByText(`Monitor ${size}`).waitFor();
    await check("list");
    await page.getByRole("button", { name: "Add a service account" }).click();
    await page.getByRole("dialog").getByLabel("Name").waitFor();
    await check("add");
    await page.keyboard.press("Escape");
    await page.goto(`/admin/people?person=${id}`);
    await page.getByRole("list", { name: "Keys of this account" }).waitFor();
    await check("panel");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("What it can call").selectOption("Only these endpoints");
    await page.getByLabel("Add an endpoint").waitFor();
    await check("new-key");
    await page.getByLabel("What it can call").selectOption("Everything the account may do");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText("This is the only time it is shown").waitFor();
    await check("secret");
    expect(problems).toEqual({});
  });
});
