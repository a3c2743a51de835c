import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";

const waiting = { name: "Bo Ek", email: "bo@harbour.example", password: "another long password" };
let parley: Parley;
let browser: TestBrowser;
let upstream: ReplayServer;

beforeAll(async () => {
  [parley, browser, upstream] = await Promise.all([
    startParley({ env: { JWT_EXPIRES_IN: "2w", ENABLE_API_KEYS: "true" } }),
    openBrowser(),
    startReplayServer({ fixtures: ["openai", "mistral"] }),
  ]);
  const { token } = await signUpByApi(parley.url, ada);
  const call = <T>(method: string, path: string, body?: object) => callApi<T>(parley.url, token, method, path, body);
  await signUpByApi(parley.url, waiting);
  await call("POST", "/api/v1/connections", { name: "Harbour gateway", base_url: upstream.url, tags: ["fast"] });
  // Nothing listens there: a connection in trouble looks different.
  await call("POST", "/api/v1/connections", { name: "Old gateway", base_url: "http://127.0.0.1:9/v1" });
});
afterAll(async () => {
  await browser.close();
  await Promise.all([parley.stop(), upstream.close()]);
});

/** Waits until everything that loads is there. */
async function settle(page: Page): Promise<void> {
  await page.locator("main :is(h1, textarea)").first().waitFor();
  await expect.poll(() => page.locator('[role="status"][aria-label="Loading"]').count()).toBe(0);
}

/** What is wrong with the page as it stands, in both themes, and whether it scrolls sideways. */
async function check(page: Page, name: string, found: Record<string, string[]>): Promise<void> {
  const violations = await findViolations(page);
  if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
    violations.push("the page is wider than the window");
  // The other theme has other colours and nothing else.
  await page.emulateMedia({ colorScheme: "dark" });
  violations.push(...(await findViolations(page, ["color-contrast"])).map((violation) => `dark: ${violation}`));
  await page.emulateMedia({ colorScheme: "light" });
  if (violations.length > 0) found[name] = violations;
}

describe.each(["desktop", "phone"] as const)("on a %s, light and dark,", (size) => {
  const open = () => browser.openPage({ baseURL: parley.url, size });

  test("forms with mistakes and pages that failed to load break nothing", async () => {
    const page = await open();
    await signInContext(page, parley.url, ada);
    const found: Record<string, string[]> = {};
    await page.goto("/admin/people");
    await settle(page);
    await page.getByRole("button", { name: "Add a person" }).click();
    await page.getByRole("button", { name: "Add person" }).click();
    await check(page, "form with mistakes in a dialog", found);
    await page.keyboard.press("Escape");
    await page.route("**/api/v1/connections*", (route) =>
      route.fulfill({
        status: 500,
        contentType: "application/problem+json",
        body: JSON.stringify({ code: "internal_error", detail: "x", request_id: "r1" }),
      }),
    );
    await page.goto("/admin/connections");
    await page.getByText("The connections couldn't be loaded").waitFor();
    await check(page, "page that failed", found);
    expect(found).toEqual({});
  });

  test("nor do the pages before the app", async () => {
    const page = await open();
    const found: Record<string, string[]> = {};
    for (const path of ["/sign-in", "/sign-up"]) {
      await page.goto(path);
      await settle(page);
      await check(page, path, found);
    }
    await page.getByRole("button", { name: "Create account" }).click();
    await check(page, "sign-up with mistakes", found);
    await signInContext(page, parley.url, waiting);
    await page.goto("/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await check(page, "waiting", found);
    expect(found).toEqual({});
  });
});

test("where lines run to the left, the frame stands the other way round", async () => {
  const page = await browser.openPage({ baseURL: parley.url, locale: "ar-EG" });
  await signInContext(page, parley.url, ada);
  await page.goto("/admin/connections/new");
  await settle(page);
  const { rail, main, arrow } = await page.evaluate(() => {
    const icon = document.querySelector(".pointing");
    return {
      rail: document.querySelector("#rail")!.getBoundingClientRect().left,
      main: document.querySelector("#main")!.getBoundingClientRect().left,
      arrow: icon ? getComputedStyle(icon).scale : "no icon points",
    };
  });
  expect({ isRailAtTheRight: rail > main, arrow }).toEqual({ isRailAtTheRight: true, arrow: "-1 1" });

  // Titles of the other direction begin where all others do.
  const title = "Tides";
  await page.request.post(`${parley.url}/api/v1/chats/new`, {
    headers: { origin: parley.url },
    data: { chat: { title, models: [], history: { currentId: null, messages: {} } } },
  });
  await page.goto("/");
  const fromTheEdge = await page
    .getByRole("navigation")
    .getByText(title, { exact: true })
    .evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return element.getBoundingClientRect().right - range.getBoundingClientRect().right;
    });
  expect(fromTheEdge).toBeLessThan(2);
});

test("everything on a page is reached by Tab alone, the first stop skips to the content", async () => {
  const page = await browser.openPage({ baseURL: parley.url });
  await signInContext(page, parley.url, ada);
  await page.goto("/admin/people");
  await settle(page);
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
  await page.keyboard.press("Tab");
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent?.trim()))
    .toBe("Add a service account");
  const menu = page.getByRole("button", { name: `Actions for ${waiting.name}` });
  for (let stops = 0; stops < 40 && !(await menu.evaluate((button) => button === document.activeElement)); stops++)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe("Edit");
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe("Delete account");
  await page.keyboard.press("Escape");
  await expect.poll(() => menu.evaluate((button) => button === document.activeElement)).toBe(true);
});

test("on a phone everything that can be pressed is at least 44 pixels high or wide enough to hit", async () => {
  const page = await browser.openPage({ baseURL: parley.url, size: "phone" });
  await signInContext(page, parley.url, ada);
  const small: string[] = [];
  for (const path of [
    "/settings",
    "/settings/sessions",
    "/settings/keys",
    "/admin",
    "/admin/people",
    "/admin/connections",
    "/admin/models",
    "/admin/keys",
    "/admin/sso",
    "/admin/scim",
    "/admin/audit",
    "/admin/settings",
    "/admin/health",
  ]) {
    await page.goto(path);
    await settle(page);
    small.push(
      ...(await page.evaluate((path) => {
        const inText = (element: Element) =>
          element.localName === "a" && getComputedStyle(element).display === "inline";
        return [...document.querySelectorAll("button, select, textarea, a[href], input:not([type=file])")]
          .filter(
            (element) =>
              element.checkVisibility({ visibilityProperty: true }) &&
              !element.classList.contains("skip") &&
              !inText(element) &&
              element.getAttribute("tabindex") !== "-1",
          )
          .map((element) => {
            // The label of a radio button or a check box can be pressed too.
            const target =
              element instanceof HTMLInputElement && /radio|checkbox/.test(element.type)
                ? (element.closest("label") ?? element)
                : element;
            return {
              name: `${path} ${element.localName} ${element.textContent?.trim() || element.getAttribute("aria-label") || ""}`,
              box: target.getBoundingClientRect(),
            };
          })
          .filter(({ box }) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
          .map(({ name, box }) => `${name}: ${Math.round(box.width)} x ${Math.round(box.height)}`);
      }, path)),
    );
  }
  expect(small).toEqual([]);
});
