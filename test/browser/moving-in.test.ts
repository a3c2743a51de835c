import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeOpenWebuiData, passwordOf } from "../fixtures/open-webui/make-data.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";

let parley: Parley;
let browser: TestBrowser;
let data: string;
let token: string;

beforeAll(async () => {
  data = makeOpenWebuiData();
  [parley, browser] = await Promise.all([startParley(), openBrowser()]);
  ({ token } = await signUpByApi(parley.url, ada));
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
  rmSync(data, { recursive: true, force: true });
});

async function open(options: PageOptions = {}): Promise<Page> {
  const page = await browser.openPage({ baseURL: parley.url, ...options });
  await signInContext(page, parley.url, ada);
  await page.goto("/admin/moving-in");
  await page
    .getByText("Nothing was imported yet.")
    .or(page.getByRole("table", { name: "Imports" }))
    .waitFor();
  return page;
}
const people = async () =>
  (await callApi<{ users: { email: string }[] }>(parley.url, token, "GET", "/api/v1/users/")).users.map(
    ({ email }) => email,
  );
const cell = (page: Page, kind: string) =>
  page.getByRole("table", { name: "Records by kind" }).getByRole("cell", { name: kind, exact: true });

test("what is no database of Open WebUI is refused, and so is one in use", async () => {
  const page = await open();
  const other = path.join(data, "other.db");
  writeFileSync(other, "no database");
  await page.getByLabel("Choose webui.db").setInputFiles(other);
  await page.getByRole("button", { name: "Try it first" }).click();
  await page.getByText("This is not a database of Open WebUI").waitFor();
  rmSync(other);
  writeFileSync(path.join(data, "webui.db-wal"), "log");
  await page.getByLabel("Choose the data folder").setInputFiles(data);
  await page.getByText("Open WebUI is still writing to it.").waitFor();
  rmSync(path.join(data, "webui.db-wal"));
  await expect.poll(() => page.getByRole("button", { name: "Import", exact: true }).count()).toBe(0);
  await page.context().close();
});

test("a data folder is tried, imported, and not imported twice", async () => {
  const page = await open();
  await page.getByLabel("Choose the data folder").setInputFiles(data);
  await page.getByText("4 uploaded files").waitFor();
  await page.getByRole("button", { name: "Try it first" }).click();
  await page.getByText("This is what would arrive. Nothing is stored yet.").waitFor();
  await cell(page, "People").waitFor();
  await expect.poll(() => people()).toEqual([ada.email]);
  expect(await findViolations(page)).toEqual([]);

  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("Files become searchable in the background").waitFor();
  await expect.poll(() => people()).toContain("bob@example.com");
  const { token: bob } = await callApi<{ token: string }>(parley.url, "", "POST", "/api/v1/auths/signin", {
    email: "bob@example.com",
    password: passwordOf("bob"),
  });
  expect(await callApi<object[]>(parley.url, bob, "GET", "/api/v1/chats/all")).toHaveLength(2);
  const count = (await people()).length;
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByRole("columnheader", { name: "Earlier" }).waitFor();
  expect((await people()).length).toBe(count);
  await page.context().close();
});

test.each(["desktop", "phone"] as const)("the list of imports leads to what is different (%s)", async (size) => {
  const page = await open({ size });
  await page.getByRole("link", { name: "webui.db" }).click();
  await page.getByRole("heading", { name: "webui.db" }).waitFor();
  await page.getByLabel("Show", { exact: true }).selectOption("");
  await page.getByRole("table", { name: "What is different" }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);
  await page.context().close();
});

test("an import is forgotten, and what it brought stays", async () => {
  const page = await open();
  await page.getByRole("link", { name: "webui.db" }).click();
  await page.getByRole("button", { name: "Forget" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Forget" }).click();
  await page.getByText("Nothing was imported yet.").waitFor();
  await expect.poll(() => people()).toContain("bob@example.com");
  await page.context().close();
});
