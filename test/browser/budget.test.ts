import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "../../src/ui/app/routes.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { load } from "./load-page.ts";
import { longHistory } from "./long-history.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";
import { goTo } from "./press-link.ts";

let parley: Parley;
let browser: TestBrowser;
let token: string;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), openBrowser()]);
  ({ token } = await signUpByApi(parley.url, ada));
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
});

/** Nothing was loaded for two seconds: what the page loads later by itself is there, also on a slow machine. */
const allLoaded = (page: Page) =>
  page.evaluate(async () => {
    const loaded = () => performance.getEntriesByType("resource").length;
    for (let before = -1; before !== loaded();) {
      before = loaded();
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
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

test("no page of people loads anything of the administration", async () => {
  const page = await browser.openPage({ baseURL: parley.url });
  await signInContext(page, parley.url, ada);
  const loaded = new Set<string>();
  page.on("request", (request) => {
    if (request.resourceType() === "script") loaded.add(new URL(request.url()).pathname);
  });
  await page.goto("/help");
  await page.locator("main h1").waitFor();
  const addresses = routes
    // Those without parameters; the page of a model names it in its query, and is the same as that of a new one.
    .filter(({ area, path }) => area !== "admin" && area !== "bare" && !/:|^\/models\/edit$/.test(path))
    .map(({ path }) => path);
  const found: Record<string, string[]> = {};
  for (const address of addresses) {
    await goTo(page, address);
    await page.waitForLoadState("networkidle");
    const wrong = [...loaded].filter((name) => /\/admin-/.test(name));
    if (wrong.length > 0) found[address] = wrong;
    loaded.clear();
  }
  expect(addresses.length).toBeGreaterThan(20);
  expect(found).toEqual({});
});

test("a chat of 200 messages moves under 150 KB when it is opened", async () => {
  const chat = { title: "Two hundred", models: ["parley-guide"], history: longHistory(200) };
  await callApi(parley.url, token, "POST", "/api/v1/chats/new", { chat });
  const page = await browser.openPage({ baseURL: parley.url });
  await signInContext(page, parley.url, ada);
  await page.goto("/");
  await page.locator("textarea").waitFor();
  await allLoaded(page);
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await session.send("Network.enable");
  await page.getByRole("link", { name: "Two hundred" }).click();
  await page.getByText("Answer in message 199.").waitFor();
  await page.waitForLoadState("networkidle");
  // What is shown is there as a whole, and it came with its colours and tables.
  await page.getByText("Question in message 0:").waitFor({ state: "attached" });
  expect(bytes).toBeGreaterThan(5000);
  expect(bytes).toBeLessThan(150_000);
});
