import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "../../src/ui/app/routes.ts";
import { findViolations } from "./find-violations.ts";
import { type FurnishedWorld, goTo, openFurnishedWorld } from "./furnished-world.ts";

let world: FurnishedWorld;
beforeAll(async () => {
  world = await openFurnishedWorld();
});
afterAll(() => world?.close());

/** Every address that somebody who is signed in has: a new route is tested without a line here, unless it has parameters. */
const addresses = (): string[] =>
  routes.filter(({ area }) => area !== "bare").flatMap(({ path }) => world.addresses[path] ?? [path]);

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
/** What differs between the widths, which hide and show: names, roles and colours of what is there only at one of them. */
const seen = ["color-contrast", "label", "button-name", "link-name", "image-alt", "aria-hidden-focus", "nested-interactive", "scrollable-region-focusable", "region", "heading-order", "duplicate-id-aria", "label-content-name-mismatch"];

const wider = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("html, main .scroll, dialog[open] .body")]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ localName, className }) => `${localName}.${className} is wider than its place`),
  );

/** What is wrong with what is on the screen, at both widths and in both themes. */
async function check(page: Page, name: string, found: Record<string, string[]>): Promise<void> {
  const wrong = [...(await findViolations(page)), ...(await wider(page))];
  await page.emulateMedia({ colorScheme: "dark" });
  wrong.push(...(await findViolations(page, ["color-contrast"])).map((line) => `dark: ${line}`));
  await page.setViewportSize(sizes.phone);
  wrong.push(...[...(await findViolations(page, seen)), ...(await wider(page))].map((line) => `dark, on a phone: ${line}`));
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(sizes.desktop);
  if (wrong.length > 0) found[name] = wrong;
}

test("no page breaks WCAG 2.1 AA or scrolls sideways, on a desktop and a phone, light and dark", async () => {
  const page = await world.open("/help");
  const found: Record<string, string[]> = {};
  for (const address of addresses()) {
    await goTo(page, address);
    await check(page, address, found);
  }
  expect(found).toEqual({});
});
