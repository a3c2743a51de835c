import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answering, listing, type Provider, startProvider } from "../models/provider.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";

let parley: Parley;
let browser: TestBrowser;
let provider: Provider;
let token: string;
beforeAll(async () => {
  [parley, browser, provider] = await Promise.all([startParley(), openBrowser(), startProvider(listing("tide"))]);
  ({ token } = await signUpByApi(parley.url, ada));
});
afterAll(() => Promise.all([parley?.stop(), browser?.close(), provider?.close()]));

const call = <T>(method: string, path: string, body?: object) => callApi<T>(parley.url, token, method, path, body);
const sizes = ["desktop", "phone"] as const;
async function open(path: string, size: (typeof sizes)[number] = "desktop"): Promise<{ page: Page; errors: string[] }> {
  const page = await browser.openPage({ baseURL: parley.url, size });
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await signInContext(page, parley.url, ada);
  await page.goto(path);
  return { page, errors };
}

/** Whether every line of it is in the window with nothing in front of it. */
const isSeen = (text: Locator): Promise<boolean> =>
  text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return [...range.getClientRects()].every(({ left, top, bottom }) =>
      [top + 1, bottom - 1].every((y) => {
        const hit = document.elementFromPoint(left + 2, y);
        return hit !== null && (element === hit || element.contains(hit) || hit.contains(element));
      }),
    );
  });

test("two failing connections of one name are two concerns, and the overview goes on to work", async () => {
  provider.behave(answering(503, "{}"));
  for (const path of ["/one/v1", "/two/v1"]) {
    const { id } = await call<{ id: string }>("POST", "/api/v1/connections", {
      name: "Harbour",
      base_url: provider.origin + path,
    });
    await call("POST", "/api/v1/connections/verify", { id });
  }
  const { page, errors } = await open("/admin");
  await expect.poll(() => page.getByText("Harbour isn't responding").count()).toBe(2);
  // It goes on to work: the rail leads somewhere else.
  await page.getByRole("navigation").getByRole("link", { name: "Health", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Health" }).waitFor();
  expect(errors).toEqual([]);
});

test.each(sizes)("the outcome of a test is in view with its whole reason, on a %s", async (size) => {
  const reason = "The tide tables are closed for repairs until the harbour master has read every line of this notice. ";
  provider.behave(answering(401, JSON.stringify({ error: { message: reason.repeat(3) } })));
  const { page } = await open("/admin/connections/new", size);
  await page.getByLabel("Address", { exact: true }).fill(`${provider.origin}/v1`);
  // As somebody who has scrolled so that the button stands just above those that stick to the edge.
  const button = page.getByRole("button", { name: "Test the connection" });
  await button.evaluate((element) => element.scrollIntoView({ block: "end" }));
  await button.evaluate((element: HTMLElement) => element.click());
  const outcome = page.getByText("The test failed.").locator("..");
  await outcome.waitFor();
  await expect.poll(() => isSeen(outcome)).toBe(true);
});

test.each(sizes)("what the check of a plugin finds is in view, on a %s", async (size) => {
  const { page } = await open("/admin/functions/new", size);
  await page.getByLabel("Start with").selectOption("House style");
  await expect.poll(() => page.getByLabel("ID", { exact: true }).inputValue()).toBe("house_style");
  await page.getByRole("button", { name: "Check" }).click();
  const outcome = page.getByText("This is a filter");
  await outcome.waitFor();
  await expect.poll(() => isSeen(outcome)).toBe(true);
});
