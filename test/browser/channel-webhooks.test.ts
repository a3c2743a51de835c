import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { type Account, ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";

const bo: Account = { name: "Bo Member", email: "bo@harbour.example", password: "correct horse battery" };

let parley: Parley;
let browser: TestBrowser;
let token: string;
/** A channel of each test. */
let path: string;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley({ env: { DEFAULT_USER_ROLE: "user" } }), openBrowser()]);
  ({ token } = await signUpByApi(parley.url, ada));
  await signUpByApi(parley.url, bo);
});
beforeEach(async () => {
  const made = await callApi<{ id: string }>(parley.url, token, "POST", "/api/v1/channels/create", {
    name: `deploys-${randomUUID()}`,
    is_private: false,
  });
  path = `/channels/${made.id}`;
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
});

async function open(address: string, account: Account = ada, options: PageOptions = {}): Promise<Page> {
  const page = await browser.openPage({ baseURL: parley.url, ...options });
  await signInContext(page, parley.url, account);
  await page.goto(address);
  return page;
}

/** The panel beside the channel, where a manager finds it. */
async function openPanel(page: Page) {
  await page.getByRole("button", { name: "More channel actions" }).click();
  await page.getByRole("menuitem", { name: "Webhooks" }).click();
  return page.getByRole("region", { name: "Webhooks", exact: true });
}

/** Who stands above each message, in their order. */
const messages = (page: Page) => page.getByRole("log").getByRole("article");

test("a webhook is made, used by the line that is shown, renamed and deleted; its posts look as they should", async () => {
  const page = await open(path);
  const reader = await open(path, bo);
  await reader.getByRole("button", { name: "Join channel" }).click();
  const panel = await openPanel(page);
  await panel.getByRole("button", { name: "New webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  await dialog.getByText("Enter a name.").waitFor();
  await dialog.getByLabel("Name").fill("Harbour bot");
  await dialog.getByRole("button", { name: "Create webhook" }).click();

  const run = async () => {
    const line = await panel.getByRole("group", { name: "Post from a terminal" }).locator("code").innerText();
    return JSON.parse(execFileSync("sh", ["-c", `${line} -sS`]).toString()) as Record<string, unknown>;
  };
  expect(await run()).toMatchObject({ success: true });
  for (const tab of [page, reader]) {
    await tab.getByText("Ship ahoy").waitFor();
    await tab.locator("strong", { hasText: "ahoy" }).waitFor();
  }

  await panel.getByRole("button", { name: "Change name or picture" }).click();
  await dialog.getByLabel("Name").fill("Lighthouse bot");
  await dialog.getByRole("button", { name: "Save" }).click();
  await panel.getByRole("button", { name: "Send a test post" }).click();
  await panel.getByText("Last used").waitFor();
  for (const tab of [page, reader]) {
    await tab.getByText("This is a test of the webhook Lighthouse bot.").waitFor();
    // Each with the name of its moment.
    await expect.poll(() => messages(tab).filter({ hasText: "Ship ahoy" }).innerText()).toContain("Harbour bot");
    await expect
      .poll(() => messages(tab).filter({ hasText: "This is a test" }).innerText())
      .toContain("Lighthouse bot");
  }

  const line = await panel.getByRole("group", { name: "Post from a terminal" }).locator("code").innerText();
  await panel.getByRole("button", { name: "New address" }).click();
  await dialog.getByRole("button", { name: "Replace address" }).click();
  await page.getByText("Lighthouse bot has a new address.").waitFor();
  expect(JSON.parse(execFileSync("sh", ["-c", `${line} -sS`]).toString())).toMatchObject({ status: 401 });
  expect(await run()).toMatchObject({ success: true });

  const last = await panel.getByRole("group", { name: "Post from a terminal" }).locator("code").innerText();
  await panel.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete webhook" }).click();
  await panel.getByText("No webhooks yet.").waitFor();
  expect(JSON.parse(execFileSync("sh", ["-c", `${last} -sS`]).toString())).toMatchObject({ status: 401 });
  const label = async (tab: Page) => {
    const post = messages(tab).filter({ hasText: "This is a test" });
    await expect.poll(() => post.innerText()).toContain("Deleted webhook");
    await expect.poll(() => tab.getByRole("log").innerText()).not.toContain("Harbour bot");
  };
  // In open tabs at once, and still there for those who come later.
  await label(page);
  await label(reader);
  await reader.reload();
  await label(reader);
});

test("members who do not manage the channel are not led there, nor let in by the address", async () => {
  const page = await open(`${path}?panel=webhooks`, bo);
  await page.getByRole("button", { name: "Join channel" }).click();
  await page.getByRole("button", { name: "More channel actions" }).click();
  await page.getByRole("menuitem", { name: "All channels" }).waitFor();
  await expect.poll(() => page.getByRole("menuitem", { name: "Webhooks" }).count()).toBe(0);
  await expect.poll(() => page.getByRole("region", { name: "Webhooks", exact: true }).count()).toBe(0);
});

test.each<PageOptions>([
  { size: "desktop", theme: "light" },
  { size: "phone", theme: "dark" },
])("the panel can be used by everybody ($size, $theme)", async (options) => {
  const page = await open(path, ada, options);
  const panel = await openPanel(page);
  await panel.getByRole("button", { name: "New webhook" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill(`Bot of the ${options.size}`);
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await panel.getByText("Post from a terminal").waitFor();
  expect(await findViolations(page)).toEqual([]);
  const width = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(width[0]).toBeLessThanOrEqual(width[1]!);
});
