import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";

const bo = { name: "Bo Ek", email: "bo@harbour.example", password: "another long password" };
const cy = { name: "Cy Dahl", email: "cy@harbour.example", password: "a third long password" };
let parley: Parley;
let browser: TestBrowser;
let token: string;
let organization: string;
let boId: string;
let cyId: string;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley({ env: { DEFAULT_USER_ROLE: "user" } }), openBrowser()]);
  ({ token } = await signUpByApi(parley.url, ada));
  const signedUp = await signUpByApi(parley.url, bo);
  boId = signedUp.id;
  cyId = (await signUpByApi(parley.url, cy)).id;
  const chat = { title: "Tides", models: [], history: { messages: {}, currentId: null } };
  await callApi(parley.url, signedUp.token, "POST", "/api/v1/chats/new", { chat });
  const { organizations } = await callApi<{ organizations: { id: string }[] }>(
    parley.url,
    token,
    "GET",
    "/api/v1/organizations",
  );
  organization = organizations[0]!.id;
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
});

async function open(path: string, account = ada, options: PageOptions = {}): Promise<Page> {
  const page = await browser.openPage({ baseURL: parley.url, ...options });
  await signInContext(page, parley.url, account);
  await page.goto(path);
  await page.locator("main h1").first().waitFor();
  return page;
}
const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test("an organization's periods are tried, saved and told to its people", async () => {
  const page = await open(`/admin/organizations/${organization}`);
  const chats = page.getByLabel("Chats", { exact: true });
  await chats.fill("many");
  await page.getByText("Correct the values first.").waitFor();
  await chats.fill("90");
  await page.getByRole("button", { name: "See what would be removed now" }).click();
  await page.getByText("Nothing would be removed now.").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved. The periods apply within the hour.").waitFor();
  const own = await open("/settings/data", bo);
  await own.getByText("Chats are removed 90 days after their last change.").waitFor();
  expect(await findViolations(own)).toEqual([]);
});

test("the periods of the service are tried on the page of settings", async () => {
  const page = await open("/admin/settings");
  await page.getByLabel("Channel messages (days)").fill("30");
  await page.getByRole("button", { name: "See what would be removed now" }).click();
  await page.getByText("Nothing would be removed now.").waitFor();
  await expect.poll(() => page.getByRole("alert").count()).toBe(0);
});

test("people download their data, and administrators that of others", async () => {
  const own = await open("/settings/data", bo);
  const [mine] = await Promise.all([
    own.waitForEvent("download"),
    own.getByRole("link", { name: "Download my data" }).click(),
  ]);
  expect(mine.suggestedFilename()).toMatch(/^parley-data.*\.zip$/);
  const page = await open(`/admin/people/${boId}/data`);
  const [other] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download data" }).click(),
  ]);
  expect(other.suggestedFilename()).toMatch(/\.zip$/);
});

test("a hold is placed on a person, forbids the erasure and the person's own deletion, and is lifted", async () => {
  const page = await open(`/admin/people?person=${boId}`);
  await page.getByRole("link", { name: "Data, hold, erasure" }).click();
  await page.getByRole("button", { name: "Place hold" }).click();
  await page.getByText("Enter a reason.").waitFor();
  await page.getByLabel("Reason").fill("Case 7");
  await page.getByRole("button", { name: "Place hold" }).click();
  await page.getByText("A legal hold prevents this.").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Erase this person" }).isDisabled()).toBe(true);
  expect(await findViolations(page)).toEqual([]);
  const list = await open("/admin/data");
  await expect.poll(() => list.getByRole("row").filter({ hasText: "Bo Ek" }).textContent()).toContain("Case 7");
  const { token: own } = await callApi<{ token: string }>(parley.url, "", "POST", "/api/v1/auths/signin", {
    email: bo.email,
    password: bo.password,
  });
  const refused = await fetch(`${parley.url}/api/v1/chats/`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${own}` },
  });
  expect(refused.status).toBe(409);
  expect(await refused.text()).toContain("legal_hold");
  await page.getByRole("button", { name: "Lift hold" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Lift hold" }).click();
  await page.getByText("There is no hold.").waitFor();
  await page.getByText("A legal hold prevents this.").waitFor({ state: "detached" });
});

test.each([
  ["desktop", "light"],
  ["desktop", "dark"],
  ["phone", "light"],
  ["phone", "dark"],
] as const)("the pages fit and are accessible: %s, %s", async (size, theme) => {
  for (const path of [`/admin/people/${boId}/data`, `/admin/organizations/${organization}`, "/admin/data"]) {
    const page = await open(path, ada, { size, theme });
    await page
      .getByRole("heading", { name: path === "/admin/data" ? "Erasures" : "Legal hold", exact: true })
      .waitFor();
    await expect.poll(() => page.locator("main [aria-busy=true]").count()).toBe(0);
    await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(0);
    expect(await findViolations(page)).toEqual([]);
  }
});

test("a person is erased: plan, name to type, progress, report to download", async () => {
  const page = await open(`/admin/people/${cyId}/data`);
  await page.getByRole("button", { name: "Erase this person" }).click();
  const dialog = page.getByRole("dialog", { name: "Erase Cy Dahl?" });
  await dialog.getByRole("textbox").fill("Cy Dahl");
  await dialog.getByRole("button", { name: "Erase this person" }).click();
  await page.getByText("The erasure is complete.").waitFor();
  await expect.poll(() => page.getByRole("row").filter({ hasText: "Account" }).textContent()).toContain("Removed");
  expect(await findViolations(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download as JSON" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^erasure-.*\.json$/);
  await expect.poll(() => page.locator("main").textContent()).not.toContain("Cy");
  await page.getByRole("link", { name: "Holds and erasures" }).first().click();
  await page.getByRole("row").filter({ hasText: "Done" }).waitFor();
});
