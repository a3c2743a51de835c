import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "../../src/ui/app/routes.ts";
import { type FurnishedWorld, openFurnishedWorld } from "./furnished-world.ts";
import { goTo } from "./press-link.ts";

let world: FurnishedWorld;
beforeAll(async () => {
  world = await openFurnishedWorld();
});
afterAll(() => world?.close());

/** Every address that somebody who is signed in has: a new route is tested without a line here, unless it has parameters. */
const addresses = (): string[] =>
  routes.filter(({ area }) => area !== "bare").flatMap(({ path }) => world.addresses[path] ?? [path]);

/** The first row of each table, as somebody sees it who points at it: where it is blank, and whether it lights up. */
async function lookAtRows(page: Page): Promise<{ table: string; lightsUp: boolean; blanks: [number, number][] }[]> {
  const found = [];
  const rows = page.locator("main table > tbody > tr:first-child").filter({ visible: true });
  for (let at = 0; at < (await rows.count()); at++) {
    const row = rows.nth(at);
    await row.evaluate((element) => element.scrollIntoView({ block: "center" }));
    const box = (await row.boundingBox())!;
    await page.mouse.move(box.x + box.width - 3, box.y + box.height - 3);
    found.push(
      await row.evaluate((element) => ({
        table: element.closest("table")!.caption?.textContent ?? "",
        lightsUp: getComputedStyle(element).cursor === "pointer",
        blanks: [...element.children]
          .map((cell) => cell.getBoundingClientRect())
          .filter(({ width }) => width > 8)
          .map(({ left, width, bottom }): [number, number] => [left + width - 4, bottom - 4])
          .filter(
            ([x, y]) =>
              document.elementFromPoint(x, y)?.closest("tr") === element &&
              !document.elementFromPoint(x, y)?.closest("a, button, input, select, textarea, label"),
          ),
      })),
    );
  }
  return found;
}

/** Where the person is, and what is open there. */
const whereabouts = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      `${location.href} ${document.querySelectorAll('main [aria-expanded="true"], [role="complementary"], aside').length}`,
  );

test("a row that lights up leads somewhere wherever it is pressed, on every page", { timeout: 600_000 }, async () => {
  const page = await world.open("/help");
  let tabs = 0;
  page.on("popup", (tab) => {
    tabs += 1;
    void tab.close();
  });
  const outcome = async () => `${await whereabouts(page)} ${tabs}`;
  const lists: string[] = [];
  for (const address of addresses()) {
    await goTo(page, "/help");
    await goTo(page, address);
    const seen = await lookAtRows(page);
    for (const [at, { table, lightsUp, blanks }] of seen.entries()) {
      if (!lightsUp || blanks.length === 0) continue;
      lists.push(`${address}: ${table}`);
      for (const nth of new Set([0, blanks.length - 1])) {
        await goTo(page, "/help");
        await goTo(page, address);
        // The same place, wherever the row stands now.
        const [x, y] = (await lookAtRows(page))[at]!.blanks[nth]!;
        const before = await outcome();
        await page.mouse.click(x, y);
        await expect.poll(outcome, { message: `${address}: ${table}, cell ${nth}` }).not.toBe(before);
      }
    }
  }
  // Of those that lead somewhere; a list that has become blind to it is missing here.
  expect(lists.length).toBeGreaterThan(12);
});

test("all pages have one width, and their titles one place", async () => {
  const page = await world.open("/help");
  const places: Record<string, string[]> = {};
  // A panel beside a page takes from its width.
  for (const address of addresses().filter((each) => !each.includes("person="))) {
    await goTo(page, address);
    const place = await page.evaluate(() => {
      const [column, title] = ["main .scroll > .width", "main .scroll h1"].map((each) =>
        document.querySelector(each)?.getBoundingClientRect(),
      );
      return column && title ? [column.left, column.width, title.left].map(Math.round).join(" ") : undefined;
    });
    // Chats, channels and the help are not such pages.
    if (place !== undefined) (places[place] ??= []).push(address);
  }
  expect(Object.values(places).flat().length).toBeGreaterThan(40);
  expect(Object.keys(places), JSON.stringify(places)).toHaveLength(1);
});
