import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";

const bo = { name: "Bo Ek", email: "bo@harbour.example", password: "another long password" };
let parley: Parley;
let browser: TestBrowser;
let upstream: ReplayServer;
let token: string;
let boToken: string;

beforeAll(async () => {
  [parley, browser, upstream] = await Promise.all([
    startParley({ env: { DEFAULT_USER_ROLE: "user", ENABLE_TITLE_GENERATION: "false" } }),
    openBrowser(),
    startReplayServer({ fixtures: ["openai", "lm-studio"] }),
  ]);
  ({ token } = await signUpByApi(parley.url, ada));
  ({ token: boToken } = await signUpByApi(parley.url, bo));
  await callApi(parley.url, token, "POST", "/api/v1/connections", { name: "Replay", base_url: upstream.url });
  for (const [as, model] of [
    [token, "openai"],
    [boToken, "openai"],
    [boToken, "openai"],
  ] as const)
    await complete(as, model);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([parley.stop(), upstream.close()]);
});

const complete = (as: string, model: string) =>
  callApi(parley.url, as, "POST", "/api/chat/completions", {
    model,
    messages: [{ role: "user", content: "What is the capital of France?" }],
  });

async function open(path: string, account = ada, options: PageOptions = {}): Promise<Page> {
  const page = await browser.openPage({ baseURL: parley.url, ...options });
  await signInContext(page, parley.url, account);
  await page.goto(path);
  await page.locator("main :is(h1, textarea)").first().waitFor();
  return page;
}

const tile = (page: Page, label: string) => page.locator("dl > div", { hasText: label }).locator("dd");
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

test("people see what they have used: sums, days as a plot and as a table, models, single calls, a file", async () => {
  const page = await open("/settings/usage", bo);
  await expect.poll(() => tile(page, "Requests").textContent()).toBe("2");
  await expect.poll(() => tile(page, "Tokens").textContent()).toBe("76");
  await page.getByRole("img", { name: /Tokens by day/ }).waitFor();
  expect(await findViolations(page)).toEqual([]);

  await page.getByRole("button", { name: "Show as table" }).click();
  const days = page.getByRole("table", { name: /Tokens by day/ });
  await expect.poll(() => days.getByRole("row").count()).toBe(31);
  await expect.poll(() => days.getByRole("row").nth(1).textContent()).toMatch(/38\s*38\s*76/);
  await page.getByRole("combobox", { name: "Period" }).selectOption("7");
  await expect.poll(() => days.getByRole("row").count()).toBe(8);
  expect(new URL(page.url()).search).toBe("?days=7");

  await row(page, "76").getByRole("link", { name: "openai" }).click();
  await page.getByRole("button", { name: "Only openai" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Only openai" }).click();
  await expect.poll(() => new URL(page.url()).search).toBe("?days=7");
  await expect.poll(() => page.getByRole("table", { name: "Latest calls" }).getByRole("row").count()).toBe(3);

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^usage-.*\.csv$/);
});

test("a quota that an administrator sets is shown to whom it is for, refuses, is raised and deleted", async () => {
  const admin = await open("/admin/quotas");
  await admin.getByText("No quotas yet.").waitFor();
  await admin.getByRole("button", { name: "Add a quota" }).click();
  const dialog = admin.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add quota" }).click();
  await dialog.getByText("Choose who it applies to.").waitFor();
  await dialog.getByText("Enter a whole number").waitFor();
  await dialog.getByLabel("Person").fill("Bo Ek");
  await dialog.locator('datalist option[value^="Bo Ek"]').waitFor({ state: "attached" });
  await dialog.getByLabel("Person").fill(`${bo.name} (${bo.email})`);
  await dialog.getByRole("combobox", { name: "Unit" }).selectOption("requests");
  await dialog.getByRole("combobox", { name: "Per", exact: true }).selectOption("day");
  await dialog.getByLabel("Limit", { exact: true }).fill("3");
  expect(await findViolations(admin)).toEqual([]);
  await dialog.getByRole("button", { name: "Add quota" }).click();
  await row(admin, "Bo Ek").getByText("3 requests each day").waitFor();
  expect(await findViolations(admin)).toEqual([]);

  const page = await open("/settings/usage", bo);
  await page.getByRole("meter", { name: "requests today" }).waitFor();
  await page.getByText("1 of 3 left").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await complete(boToken, "openai");
  await pressLink(page, "/");
  await page.getByRole("textbox", { name: "Message" }).fill("And of Spain?");
  await page.keyboard.press("Enter");
  await page.getByText(/Your limit of 3 requests a day is used up/).waitFor();

  await row(admin, "Bo Ek").getByRole("button", { name: "Actions for the quota of Bo Ek" }).click();
  await admin.getByRole("menuitem", { name: "Change limit" }).click();
  await dialog.getByLabel("Limit", { exact: true }).fill("100");
  await dialog.getByRole("button", { name: "Change limit" }).click();
  const limit = row(admin, "Bo Ek").getByText("100 requests each day");
  await limit.waitFor();
  await admin.setViewportSize({ width: 390, height: 844 });
  const linesOf = (cell: Element): number => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return new Set(Array.from(range.getClientRects(), ({ top }) => top)).size;
  };
  await expect.poll(() => limit.evaluate(linesOf)).toBeLessThanOrEqual(2);
  await admin.setViewportSize({ width: 1280, height: 800 });
  await complete(boToken, "openai");

  await row(admin, "Bo Ek").getByRole("button", { name: "Actions for the quota of Bo Ek" }).click();
  await admin.getByRole("menuitem", { name: "Delete" }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Delete quota" }).click();
  await admin.getByText("No quotas yet.").waitFor();
});

test("administrators see who uses what, one person or model alone, and go back", async () => {
  await complete(token, "lm-studio");
  const page = await open("/admin/usage");
  await row(page, "Bo Ek").first().waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("link", { name: "Ada Lindqvist" }).click();
  await expect.poll(() => new URL(page.url()).search).toMatch(/^\?person=[^&]+&by=model$/);
  await row(page, "lm-studio").first().waitFor();
  await expect.poll(() => tile(page, "Requests").textContent()).toBe("2");
  await page.goBack();
  await row(page, "Bo Ek").first().waitFor();
  await page.getByRole("combobox", { name: "Group by" }).selectOption("base_model");
  await row(page, "lm-studio").first().waitFor();
  await page.getByRole("searchbox", { name: "Search" }).fill("nothing like it");
  await page.getByText("No rows match.").waitFor();
});

test.each(["/settings/usage", "/admin/usage", "/admin/quotas"])("%s fits a phone in the dark", async (path) => {
  const page = await open(path, ada, { size: "phone", theme: "dark" });
  await expect.poll(() => page.locator('[role="status"][aria-label="Loading"]').count()).toBe(0);
  expect(await findViolations(page)).toEqual([]);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
