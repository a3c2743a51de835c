import { afterAll, beforeAll, expect, test } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";

let parley: Parley;
let browser: TestBrowser;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), openBrowser()]);
  await signUpByApi(parley.url, ada);
});
afterAll(async () => {
  await browser?.close();
  await parley?.stop();
});

test.each(["desktop", "phone"] as const)("help is found, searched and read on a %s", async (size) => {
  const page = await browser.openPage({ baseURL: parley.url, size });
  await signInContext(page, parley.url, ada);
  await page.goto("/");
  await page.locator("textarea").waitFor();
  await page.keyboard.press("Control+K");
  await page.getByRole("combobox").fill("help");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Help" }).waitFor();
  expect(await findViolations(page)).toEqual([]);

  await page.getByLabel("Search help").fill("backup");
  await page.getByRole("link", { name: "Back up your data" }).click();
  const section = page.getByRole("heading", { level: 2, name: "Back up your data" });
  await section.waitFor();
  await expect.poll(() => section.boundingBox().then((box) => box !== null && box.y >= 0 && box.y < 400)).toBe(true);
  expect(await findViolations(page)).toEqual([]);

  await page.goto("/help/configuration");
  await page.getByText("RAG_EMBEDDING_MODEL", { exact: true }).first().waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.goto("/help/start");
  await page.getByRole("link", { name: "Admin > Connections" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Connections" }).waitFor();
  await page.context().close();
});
