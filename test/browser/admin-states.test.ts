import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adminGroups, overviewPage } from "../../src/ui/features/admin/admin-pages.ts";
import { type FurnishedWorld, openFurnishedWorld } from "./furnished-world.ts";
import { pressLink } from "./press-link.ts";

/** Every page of the administration that the rail or the palette offers: a new one is tested without a line here. */
const addresses = [overviewPage, ...adminGroups.flatMap(({ pages }) => pages)].map(({ href }) => href);
/** A page on which nothing of the administration is loaded. */
const elsewhere = "/help";

let world: FurnishedWorld;
beforeAll(async () => {
  world = await openFurnishedWorld();
});
afterAll(() => world?.close());

type Answer = (route: Route) => Promise<void>;
const problem =
  (status: number, code: string, detail: string): Answer =>
  (route) =>
    route.fulfill({
      status,
      contentType: "application/problem+json",
      body: JSON.stringify({ code, detail, request_id: "01a2-request" }),
    });

/** What a page asks for beside its contents, on every page. */
const ofTheFrame = /\/api\/(config|v1\/(auths\/$|events|notifications|channels|chats\/(calls|waiting)))/;

/** Answers everything that a page loads, from now on, in this way; `undefined`: as the service does. */
async function answerAll(page: Page, answer: Answer | undefined): Promise<void> {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  if (!answer) return;
  await page.route("**/api/**", (route) => {
    if (route.request().method() !== "GET" || ofTheFrame.test(route.request().url())) return route.fallback();
    return answer(route).catch((error: unknown) => {
      // The page may be closed before a late question is answered.
      if (!/disposed|closed/.test(String(error))) throw error;
    });
  });
}

/** What of the page is cut or has to be scrolled sideways. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("html, main .scroll, main .card")]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map((element) => {
        const widest = [...element.querySelectorAll("*")].findLast(
          (inside) => inside.getBoundingClientRect().right > element.getBoundingClientRect().right + 1,
        );
        return `${element.localName}.${element.className} holds ${widest?.outerHTML.slice(0, 120)}`;
      }),
  );

/** Its rows say what does not work, and its button asks again, also where everything works. */
const isHealth = (address: string): boolean => address === "/admin/health";
const retries = (page: Page) => page.locator("main").getByRole("button", { name: "Try again" });
const skeletons = (page: Page) => page.locator('main [role="status"][aria-label="Loading"]');

/** Goes to the page, and waits until it has asked for something. */
async function begin(page: Page, address: string, hasAsked: () => boolean): Promise<void> {
  await pressLink(page, elsewhere);
  await pressLink(page, address);
  await expect.poll(hasAsked, { message: `${address} asks for nothing`, interval: 20 }).toBe(true);
}

/**
 * Walks all pages at the width of a phone. `look` says what is wrong with one.
 * @returns what was found wrong, by address
 */
async function walk(look: (page: Page, address: string) => Promise<string[]>): Promise<Record<string, string[]>> {
  const page = await world.open(elsewhere, { size: "phone" });
  page.setDefaultTimeout(20_000);
  const broken: string[] = [];
  page.on("pageerror", ({ message }) => broken.push(message));
  const found: Record<string, string[]> = {};
  for (const address of addresses) {
    await answerAll(page, undefined);
    const wrong = await look(page, address).catch((error: unknown) => [String(error).split("\n")[0] ?? ""]);
    wrong.push(...broken.splice(0).map((message) => `page error: ${message}`));
    if (wrong.length > 0) found[address] = wrong;
  }
  await page.context().close();
  return found;
}

/** A page that could not load: why, a way to try again, and everything there once that is pressed. */
const failing =
  (answer: Answer, says: RegExp) =>
  async (page: Page, address: string): Promise<string[]> => {
    let asked = 0;
    await answerAll(page, (route) => {
      asked += 1;
      return answer(route);
    });
    await begin(page, address, () => asked > 0);
    const wrong: string[] = [];
    if (isHealth(address)) return (await page.getByText("Failed").count()) > 0 ? [] : ["does not say that it failed"];
    await retries(page).first().waitFor();
    await skeletons(page)
      .first()
      .waitFor({ state: "detached" })
      .catch(() => wrong.push("still loads"));
    const text = await page.locator("main").innerText();
    if (!says.test(text)) wrong.push(`does not say why: ${text.slice(0, 300)}`);
    wrong.push(...(await tooWide(page)));
    await answerAll(page, undefined);
    // Each press asks again for one part of the page, and parts may fail later than the first.
    for (let presses = 0; presses < 10; presses++) {
      const left = await retries(page).count();
      if (left === 0) break;
      await retries(page).first().click();
      await retries(page)
        .nth(left - 1)
        .waitFor({ state: "detached" })
        .catch(() => undefined);
    }
    if ((await retries(page).count()) > 0) wrong.push("Try again does not help");
    return wrong;
  };

test("a page that fails to load says why, and loads when it is tried again", async () => {
  const found = await walk(failing(problem(500, "internal_error", "x"), /Nothing was lost|went wrong|server|service/i));
  expect(found).toEqual({});
});

test("a page that somebody may not see any more says so", async () => {
  const found = await walk(
    failing(problem(403, "forbidden", "Only administrators may do this."), /Only administrators may do this/),
  );
  expect(found).toEqual({});
});

test("a page without a connection says so, and comes by itself when there is one again", async () => {
  const found = await walk(async (page, address) => {
    let asked = 0;
    await answerAll(page, (route) => {
      asked += 1;
      return route.abort("connectionrefused");
    });
    await begin(page, address, () => asked > 0);
    const wrong: string[] = [];
    if (isHealth(address)) return [];
    // Some pages still know their list from a page before.
    await retries(page).first().or(page.locator("main tbody tr").first()).first().waitFor();
    if ((await retries(page).count()) === 0) return [];
    if (!/can't be reached|couldn't be reached|connection/i.test(await page.locator("main").innerText()))
      wrong.push("does not say why");
    await answerAll(page, undefined);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await retries(page)
      .first()
      .waitFor({ state: "detached" })
      .catch(() => wrong.push("does not come back"));
    return wrong;
  });
  expect(found).toEqual({});
});

test("a page that is slow shows that it loads, and keeps its width", async () => {
  const found = await walk(async (page, address) => {
    const held: Route[] = [];
    await answerAll(page, (route) => {
      held.push(route);
      return Promise.resolve();
    });
    await begin(page, address, () => held.length > 0);
    const wrong = await tooWide(page);
    await page
      .locator('main :is([aria-busy="true"], [role="status"])')
      .first()
      .waitFor({ state: "attached" })
      .catch(() => wrong.push("nothing says that it loads"));
    await Promise.all(held.map((route) => route.abort().catch(() => undefined)));
    return wrong;
  });
  expect(found).toEqual({});
});

/** Names and texts that people write, as long as they may be, without a place to break. */
const written = new Set([
  "name",
  "title",
  "description",
  "label",
  "email",
  "comment",
  "reason",
  "detail",
  "base_url",
  "url",
  "content",
  "text",
  "error",
  "message",
  "subject_name",
  "model_name",
  "user_agent",
  "author",
]);
function lengthen(value: unknown, key = ""): unknown {
  if (typeof value === "string" && value !== "" && written.has(key))
    return `${value}${"Hafenbehoerdenverwaltungsgebaeude".repeat(5)}`;
  if (Array.isArray(value)) return value.map((each) => lengthen(each));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, lengthen(each, name)]));
}

test("long names and texts fit on the page", async () => {
  const found = await walk(async (page, address) => {
    let answered = 0;
    await answerAll(page, async (route) => {
      const response = await route.fetch();
      answered += 1;
      const isJson = response.headers()["content-type"]?.includes("json") === true;
      // The names of settings are ours.
      if (!isJson || /config|settings/.test(route.request().url()) || !response.ok())
        return route.fulfill({ response });
      await route.fulfill({ response, json: lengthen(await response.json()) });
    });
    await begin(page, address, () => answered > 0);
    await expect.poll(() => skeletons(page).count()).toBe(0);
    return tooWide(page);
  });
  expect(found).toEqual({});
});

/** Of an answer, the lists without their entries. */
function empty(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, Array.isArray(each) ? [] : each]));
}

test("a page without anything says so where its list would stand", async () => {
  const found = await walk(async (page, address) => {
    let answered = 0;
    await answerAll(page, async (route) => {
      const response = await route.fetch();
      answered += 1;
      // What the person may do and which settings there are is never empty.
      if (/config|permissions|settings/.test(route.request().url()) || !response.ok())
        return route.fulfill({ response });
      await route.fulfill({ response, json: empty(await response.json().catch(() => ({}))) });
    });
    await begin(page, address, () => answered > 0);
    await expect.poll(() => skeletons(page).count()).toBe(0);
    const bare = await page.evaluate(() =>
      [...document.querySelectorAll("main table")]
        .filter((table) => table.checkVisibility() && table.querySelectorAll("tbody tr").length === 0)
        .map((table) => `an empty table: ${table.querySelector("caption")?.textContent ?? ""}`),
    );
    const blank = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("main .card")]
        .filter((card) => card.checkVisibility() && card.innerText.trim() === "")
        .map(() => "an empty card"),
    );
    return [...bare, ...blank, ...(await tooWide(page))];
  });
  expect(found).toEqual({});
});
