import { gzipSync } from "node:zlib";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, signInContext, signUpByApi } from "./accounts.ts";
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

interface Load {
  /** Milliseconds from the start of the navigation until the element stood there and could be used. */
  interactive: number;
  /** Requests that were sent until then. */
  requests: string[];
  /** Gzipped bytes of all JavaScript that was loaded, also shortly after. */
  script: number;
  foreign: string[];
}

/** Loads an address with an empty cache and watches until the field can be typed into. */
async function load(path: string, field: string, isSignedIn: boolean): Promise<Load> {
  const page: Page = await browser.openPage({ baseURL: parley.url });
  if (isSignedIn) {
    await signInContext(page, parley.url, ada);
    // Like everyone who was here before; the service's files are not in the cache.
    await page.addInitScript(() => localStorage.setItem("parley:signed-in", "1"));
  }
  await page.addInitScript((field) => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector(`${field}:enabled`)) return;
      watch.disconnect();
      performance.mark("interactive");
    });
    watch.observe(document, { subtree: true, childList: true, attributes: true });
  }, field);
  const sent: Request[] = [];
  page.on("request", (request) => sent.push(request));
  await page.goto(path);
  await page.locator(`${field}:enabled`).waitFor();
  const { interactive, origin } = await page.evaluate(() => ({
    interactive: performance.getEntriesByName("interactive")[0]?.startTime ?? Number.NaN,
    origin: performance.timeOrigin,
  }));
  await page.waitForLoadState("networkidle");
  const scripts = sent.filter((request) => request.resourceType() === "script");
  const bodies = await Promise.all(scripts.map(async (request) => (await request.response())?.body()));
  const result = {
    interactive,
    requests: sent
      .filter((request) => request.timing().startTime - origin < interactive)
      .map((request) => new URL(request.url()).pathname),
    script: bodies.reduce((sum, body) => sum + (body ? gzipSync(body).length : 0), 0),
    foreign: sent
      .map((request) => request.url())
      .filter((url) => !url.startsWith(parley.url) && !url.startsWith("data:")),
  };
  await page.context().close();
  return result;
}

test.each([
  ["the sign-in page", "/sign-in", "input[name=email]", false, 60],
  ["the composer", "/", "textarea", true, 130],
] as const)(
  "%s comes in few requests, within its budget of JavaScript, from this service only, and fast",
  async (_name, path, field, isSignedIn, kilobytes) => {
    const loads: Load[] = [];
    // The best of some: other work on the machine makes single ones slower, nothing makes them faster.
    for (let round = 0; round < 6; round++) loads.push(await load(path, field, isSignedIn));
    const [first] = loads;
    expect(first?.foreign).toEqual([]);
    expect(first?.script).toBeGreaterThan(10_000);
    expect(first?.script).toBeLessThan(kilobytes * 1024);
    expect(loads.map(({ requests }) => requests).filter((requests) => requests.length >= 15)).toEqual([]);
    expect(Math.min(...loads.map(({ interactive }) => interactive))).toBeLessThan(300);
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
  expect(scripts.filter((name) => /admin/.test(name))).toHaveLength(1);
});
