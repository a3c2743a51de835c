import { afterAll, beforeAll, expect, test } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, signInContext, signUpByApi } from "./accounts.ts";
import { load } from "./load-page.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";

let parley: Parley;
let browser: TestBrowser;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), openBrowser()]);
  await signUpByApi(parley.url, ada);
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
});

test.each([
  ["the sign-in page", "/sign-in", "input[name=email]", undefined, 60],
  ["the composer", "/", "textarea", ada, 130],
] as const)(
  "%s comes in few requests, within its budget of JavaScript and from this service only",
  async (_name, path, field, person, kilobytes) => {
    const { requests, script, foreign } = await load({ url: parley.url, browser }, path, field, person);
    expect(foreign).toEqual([]);
    expect(script).toBeGreaterThan(10_000);
    expect(script).toBeLessThan(kilobytes * 1024);
    expect(requests.length, requests.join(" ")).toBeLessThan(18);
  },
);

test("pages of the administration cost nothing until somebody goes there", async () => {
  const page = await browser.openPage({ baseURL: parley.url });
  await signInContext(page, parley.url, ada);
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(new URL(request.url()).pathname);
  });
  await page.goto("/");
  await page.locator("textarea").waitFor();
  await page.waitForLoadState("networkidle");
  expect(scripts.filter((name) => /admin|settings/.test(name))).toEqual([]);
  await page.getByRole("button", { name: /Account of/ }).click();
  await page.getByRole("menuitem", { name: "Administration" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  // One file has all of its pages; what it shares with pages of people comes beside it.
  expect(scripts.filter((name) => /\/admin-/.test(name))).toHaveLength(1);
});
