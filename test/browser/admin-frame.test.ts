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
  await page.getByRole("navigation").getByRole("button", { name: "System" }).click();
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

test.each(sizes)(
  "the pages of the administration are in five groups, the present one in view, on a %s",
  async (size) => {
    const { page } = await open("/admin/health", size);
    await page.getByRole("heading", { level: 1, name: "Health" }).waitFor();
    const rail = page.getByRole("navigation", { name: "Main navigation" });
    if (size === "phone") await page.getByRole("button", { name: "Open the menu" }).click();
    await rail.getByRole("heading", { level: 2, name: "System" }).waitFor();
    await expect
      .poll(() => rail.getByRole("heading", { level: 2 }).allTextContents())
      .toEqual(["People", "Models", "Workspace", "Integrations", "System"]);
    await expect.poll(() => isSeen(rail.getByRole("link", { name: "Health" }))).toBe(true);
    await expect.poll(() => rail.getByRole("link", { name: "Health" }).getAttribute("aria-current")).toBe("page");
    // The others are one press away, by keyboard too.
    const models = rail.getByRole("button", { name: "Models" });
    await expect.poll(() => models.getAttribute("aria-expanded")).toBe("false");
    await models.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Connections" }).waitFor();
    if (size === "phone") await page.getByRole("button", { name: "Open the menu" }).click();
    await expect.poll(() => isSeen(rail.getByRole("link", { name: "Connections" }))).toBe(true);
  },
);

test("settings are searched, and models are picked by name; what no list has can be typed", async () => {
  provider.behave(listing("tide"));
  await call("POST", "/api/v1/connections", { name: "Quay", base_url: `${provider.origin}/v1` });
  await call("POST", "/api/v1/models/create", {
    id: "harbour-desk",
    base_model_id: "tide",
    name: "Harbour desk",
    meta: {},
    params: {},
  });
  const { page, errors } = await open("/admin/settings");
  const main = page.getByRole("main");
  await main.getByRole("heading", { level: 2, name: "Plugins" }).waitFor();
  // From what an administrator sets first to what only the environment sets, on the page as in the links above.
  const sections = await page.getByRole("navigation", { name: "Sections" }).getByRole("link").allTextContents();
  expect([sections.slice(0, 4), sections.at(-1)]).toEqual([
    ["General", "Accounts", "Limits", "Data retention"],
    "Service",
  ]);
  const headings = await main.getByRole("heading", { level: 2 }).allTextContents();
  expect(headings.filter((name) => sections.includes(name))).toEqual(sections);
  await page.getByRole("searchbox", { name: "Search settings" }).fill("task_model");
  await main.getByRole("status").getByText("1 setting", { exact: true }).waitFor();
  await expect.poll(() => main.getByRole("heading", { level: 2 }).allTextContents()).toEqual(["Chat"]);
  const task = page.getByLabel("Model for titles, tags and summaries", { exact: true });
  await task.selectOption("Harbour desk");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Chat: saved.").waitFor();
  const stored = async () => (await call<Record<string, unknown>>("GET", "/api/v1/auths/admin/config"))["TASK_MODEL"];
  await expect.poll(() => stored()).toBe("harbour-desk");

  await task.selectOption("Enter an ID");
  await page.getByLabel("ID for: Model for titles, tags and summaries").fill("unlisted");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(stored).toBe("unlisted");

  await page.getByRole("searchbox", { name: "Search settings" }).fill("default_models");
  const defaults = page.getByLabel("Default model", { exact: true }).and(page.locator("select"));
  await defaults.selectOption("tide");
  await defaults.selectOption("Harbour desk");
  await page.getByRole("button", { name: "Move Harbour desk up" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(async () => (await call<Record<string, unknown>>("GET", "/api/v1/auths/admin/config"))["DEFAULT_MODELS"])
    .toBe("harbour-desk,tide");
  // Choices are called in the hint as they are in the list, not by their values.
  await page.getByRole("searchbox", { name: "Search settings" }).fill("outside_pictures");
  await page.getByText("After a click: nothing is fetched before a reader clicks.").waitFor();
  await page.getByRole("searchbox", { name: "Search settings" }).fill("nothing like that");
  await page.getByText('No setting matches "nothing like that".').waitFor();
  expect(errors).toEqual([]);
});

test.each(sizes)(
  "a notice covers no main button, titles keep their place, rows are pressed anywhere, on a %s",
  async (size) => {
    const { id } = await call<{ id: string }>("POST", "/api/v1/groups/create", {
      name: `Pilots ${size}`,
      description: "",
    });
    const { page } = await open("/admin/groups", size);
    const title = page.getByRole("heading", { level: 1 });
    await page.getByText(`Pilots ${size}`).waitFor();
    const start = async () => (await title.boundingBox())?.x;
    const first = await start();

    // The row, where nothing of its own is.
    const row = page.getByRole("row").filter({ hasText: `Pilots ${size}` });
    const box = (await row.boundingBox())!;
    await row.click({ position: { x: size === "desktop" ? box.width * 0.55 : box.width * 0.6, y: box.height - 4 } });
    await page.waitForURL(`**/admin/groups/${id}`);
    await page.getByRole("button", { name: "Delete group" }).click();
    // A page of a form begins where a list does.
    await expect.poll(() => start()).toBe(first);
    await page.getByRole("dialog").getByRole("button", { name: "Delete group" }).click();
    await page.waitForURL("**/admin/groups");
    await page.getByText("was deleted").waitFor();
    const main = page.locator("main [data-main]");
    await main.first().waitFor();
    await expect
      .poll(() =>
        main.evaluateAll((buttons) =>
          buttons.every((button) => {
            const { left, top, width, height } = button.getBoundingClientRect();
            return [0.1, 0.5, 0.9].every((at) =>
              button.contains(document.elementFromPoint(left + width * at, top + height / 2)),
            );
          }),
        ),
      )
      .toBe(true);
  },
);
