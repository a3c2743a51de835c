import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { History } from "../../src/metrics/history/schema.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";

const ada = { name: "Ada", email: "ada@harbour.example", password: "correct horse battery" };
let parley: Parley;
let browser: TestBrowser;
beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), openBrowser()]);
  await signUpByApi(parley.url, ada);
});
afterAll(() => Promise.all([parley?.stop(), browser?.close()]));

async function open(
  path: string,
  options: PageOptions = {},
  prepare?: (page: Page) => Promise<unknown>,
): Promise<Page> {
  const page = await browser.openPage({ baseURL: parley.url, ...options });
  await signInContext(page, parley.url, ada);
  await prepare?.(page);
  await page.goto(path);
  return page;
}

/** Two hours of a busy service, of which the first quarter is missing. */
const busy: History = {
  kept: true,
  step: 1800,
  points: Array.from({ length: 48 }, (_, at) => ({
    at: 1_790_000_000 + at * 1800,
    figures:
      at < 12
        ? null
        : {
            requests: 900 + at * 40,
            errors: at % 7,
            first_byte_ms: at % 5 === 0 ? null : 600 + at * 20,
            tokens_in: 40_000 + at * 900,
            tokens_out: 9000 + at * 300,
            jobs: at % 9,
            people: 12 + (at % 6),
            disk_used: 31e9 + at * 1e8,
            disk_size: 80e9,
          },
  })),
};
const answer = (history: History) => (page: Page) =>
  page.route(/\/api\/v1\/admin\/history/, (route) => route.fulfill({ json: history }));

test.each([
  { size: "desktop", theme: "light" },
  { size: "phone", theme: "dark" },
] as const)("the overview shows figures over time, as plots and as tables, at $size size", async (options) => {
  const page = await open("/admin", options, answer(busy));
  await page.getByRole("img", { name: "Requests. Last 24 hours." }).waitFor();
  await expect.poll(() => page.getByRole("img", { name: /Last 24 hours/ }).count()).toBe(6);
  expect(await findViolations(page)).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
  await page.getByRole("button", { name: "Show as table" }).first().click();
  const table = page.getByRole("table", { name: "Requests. Last 24 hours." });
  await table.waitFor();
  await expect.poll(() => table.getByRole("row").count()).toBe(49);
  await expect.poll(() => table.getByRole("row").last().textContent()).toContain("not recorded");
  await page.getByLabel("Time span").selectOption("week");
  await page.getByRole("img", { name: "Tokens. Last 7 days." }).waitFor();
});

test("without figures, and without an answer, it says so", async () => {
  const empty = { ...busy, points: busy.points.map(({ at }) => ({ at, figures: null })) };
  const page = await open("/admin", {}, answer(empty));
  await page.getByText("The first figures appear within two minutes.").waitFor();
  const failing = await open("/admin", {}, (one) =>
    one.route(/\/api\/v1\/admin\/history/, (route) => route.fulfill({ status: 503, json: { message: "busy" } })),
  );
  await failing.getByText("The figures couldn't be loaded").waitFor();
  await failing.unroute(/\/api\/v1\/admin\/history/);
  await answer(busy)(failing);
  await failing.getByRole("button", { name: "Try again" }).click();
  await failing.getByRole("img", { name: "Disk. Last 24 hours." }).waitFor();
  await expect.poll(() => failing.getByText("The figures couldn't be loaded").count()).toBe(0);
});

test.each(["desktop", "phone"] as const)("people see their recent sign-ins, at %s size", async (size) => {
  await fetch(`${parley.url}/api/v1/auths/signin`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" },
    body: JSON.stringify({ email: ada.email, password: "a wrong password" }),
  });
  const page = await open("/settings/sessions", { size, theme: size === "phone" ? "dark" : "light" });
  await page.getByRole("heading", { name: "Recent sign-ins" }).waitFor();
  const wrong = page.getByRole("listitem").filter({ hasText: "Wrong password" });
  await wrong.first().waitFor();
  await expect.poll(() => wrong.first().textContent()).toMatch(/Firefox on Linux.*from 127\.0\.0\.1.*\d attempts?/s);
  expect(await findViolations(page)).toEqual([]);
  await pressLink(page, "/admin/audit?action=auth.*");
  await page.getByText("couldn't sign in as").first().waitFor();
});
