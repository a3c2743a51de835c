import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { routes } from "../../src/ui/app/routes.ts";
import { findViolations } from "./find-violations.ts";
import { type FurnishedWorld, openFurnishedWorld } from "./furnished-world.ts";
import { goTo } from "./press-link.ts";

/** For what hangs: each test goes through everything. */
vi.setConfig({ testTimeout: 600_000 });

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
const seen = [
  "color-contrast",
  "label",
  "button-name",
  "link-name",
  "image-alt",
  "aria-hidden-focus",
  "nested-interactive",
  "scrollable-region-focusable",
  "region",
  "heading-order",
  "duplicate-id-aria",
  "label-content-name-mismatch",
];

/** What does not fit. Plots and the like take their width a few frames after the window has got its own. */
const wider = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const look = () => [
      ...[...document.querySelectorAll<HTMLElement>("html, main .scroll, dialog[open] .body")]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
        .map(({ localName, className }) => `${localName}.${className} is wider than its place`),
      // Pages scroll inside; one that is a pixel too high jumps when something in it gets the focus.
      ...(document.documentElement.scrollHeight > innerHeight ? ["the page is higher than the window"] : []),
    ];
    for (let frames = 0; frames < 60 && look().length > 0; frames++) await new Promise(requestAnimationFrame);
    return look();
  });

/** Themes on a phone take turns: one is checked in full, and of the other the colours, which are all that differs. */
let isDarkInFull = false;

/** What is wrong with what is on the screen, at both widths and in both themes. */
async function check(page: Page, name: string, found: Record<string, string[]>, within?: string): Promise<void> {
  const wrong = [...(await findViolations(page, undefined, within)), ...(await wider(page))];
  await page.emulateMedia({ colorScheme: "dark" });
  wrong.push(...(await findViolations(page, ["color-contrast"], within)).map((line) => `dark: ${line}`));
  await page.setViewportSize(sizes.phone);
  isDarkInFull = !isDarkInFull;
  wrong.push(...(await wider(page)).map((line) => `on a phone: ${line}`));
  for (const theme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    const rules = isDarkInFull === (theme === "dark") ? seen : ["color-contrast"];
    wrong.push(...(await findViolations(page, rules, within)).map((line) => `${theme}, on a phone: ${line}`));
  }
  if (within !== undefined) {
    await page.evaluate(() => (document.documentElement.dir = "rtl"));
    wrong.push(...(await findViolations(page, seen, within)).map((line) => `to the left: ${line}`));
    wrong.push(...(await wider(page)).map((line) => `to the left: ${line}`));
    await page.evaluate(() => (document.documentElement.dir = "ltr"));
  }
  await page.setViewportSize(sizes.desktop);
  if (wrong.length > 0) found[name] = wrong;
}

/** What is pressed one after the other until something opens over the page: buttons, and entries of their menus. */
type Presses = readonly (string | RegExp)[];

/** By the path of the route whose page opens them. */
const openers: Record<string, readonly Presses[]> = {
  "/": [
    [/^Account of/],
    [/^Account of/, "Keyboard shortcuts"],
    [/^Model:/],
    [/^Tools:/],
    ["Attach files or knowledge"],
    ["Archived chats"],
  ],
  "/c/:id": [
    ["Change the tags"],
    ["More actions"],
    ["More actions", "Delete"],
    [/Ferry times and fares$/, /^Share/],
    [/Ferry times and fares$/, /^Delete/],
    [/Ferry times and fares$/, /folder/],
    ["New channel or conversation", "New channel"],
    ["New channel or conversation", "Browse channels"],
    ["New channel or conversation", "New message"],
  ],
  "/channels/:id": [["More channel actions", "Channel settings"], ["More channel actions"], ["Add a reaction"]],
  "/knowledge": [["Import"]],
  "/knowledge/:id": [
    ["More ways to add", "New folder"],
    [/^Actions for berths/, "Rename"],
    [/^Actions for berths/, /^Move/],
    [/^Actions for berths/, "Remove"],
    ["Delete knowledge base"],
  ],
  "/prompts": [["Import and export"]],
  "/prompts/:id": [["Delete prompt"]],
  "/models/edit": [["Delete model and instructions"]],
  "/settings/sessions": [[/^End .*sessions?$/]],
  "/settings/keys": [["New key"], [/^Delete the key/]],
  "/settings/storage": [[/^Delete berths/]],
  "/settings/files": [[/^Actions for berths/, "Where it is used"]],
  "/settings/memories": [["Delete all"]],
  "/settings/notifications": [["Create a new secret"]],
  "/settings/connections": [[/^Actions for My own/, "Delete"]],
  "/settings/tools/own": [["More"], [/^Actions for Tides/, "Delete"]],
  "/admin/people": [
    ["Add a service account"],
    ["Add a person"],
    ["Invite"],
    [/^Take back the invitation/],
    [/^Actions for Bo Ek/],
    [/^Actions for Bo Ek/, "Edit"],
    [/^Actions for Bo Ek/, "Move to another organization"],
    [/^Actions for Bo Ek/, "Deactivate"],
    [/^Actions for Bo Ek/, "Delete account"],
  ],
  "/admin/groups": [["New group"], [/^Actions for Pilots/, "Delete"]],
  "/admin/groups/:id": [["Add people"]],
  "/admin/organizations": [["New organization"]],
  "/admin/organizations/:id": [["Move people here"], ["Switch off"], ["Delete organization"]],
  "/admin/people/:id/data": [["Lift hold"]],
  "/admin/moving-in/:id": [["Forget"]],
  "/admin/connections": [[/^Actions for Harbour/, "Delete"]],
  "/admin/functions": [[/^Actions for Tone/, "Delete"]],
  "/admin/tool-servers": [[/^Actions for Calendar/, "Delete"]],
  "/admin/keys": [["Revoke all keys"], [/^Actions for the key Backup/, "Revoke this key"]],
  "/admin/ratings": [[/^Delete the rating of/], [/^Conversation of/]],
  "/admin/quotas": [
    ["Add a quota"],
    [/^Actions for the quota of Everyone/, "Change limit"],
    [/^Actions for the quota of Everyone/, "Delete"],
  ],
};

const opened = 'dialog[open], [role="dialog"]:popover-open, [role="menu"]';

async function press(page: Page, presses: Presses): Promise<void> {
  for (const [at, name] of presses.entries())
    await page
      .getByRole(at === 0 ? "button" : "menuitem", { name, exact: typeof name === "string" })
      .filter({ visible: true })
      .first()
      .click();
  await page.locator(opened).last().waitFor();
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

test("nor does what opens over a page", async () => {
  const page = await world.open("/help");
  const found: Record<string, string[]> = {};
  for (const [path, ways] of Object.entries(openers)) {
    const address = world.addresses[path]?.[0] ?? path;
    await goTo(page, "/help");
    await goTo(page, address);
    for (const presses of ways) {
      const name = `${path}: ${presses.join(", ")}`;
      try {
        await press(page, presses);
        await check(page, name, found, opened);
      } catch (error) {
        found[name] = [String(error).split("\n")[0] ?? ""];
      }
      for (let open = await page.locator(opened).count(); open > 0; open--) await page.keyboard.press("Escape");
    }
  }
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Search and commands" }).getByRole("option").first().waitFor();
  await check(page, "palette", found, opened);
  expect(found).toEqual({});
});

test("where lines run to the left, pages break nothing either", async () => {
  const page = await world.open("/help", { locale: "ar-EG", size: "phone" });
  const found: Record<string, string[]> = {};
  for (const address of addresses()) {
    await goTo(page, address);
    const wrong = [...(await findViolations(page, seen)), ...(await wider(page))];
    if (wrong.length > 0) found[address] = wrong;
  }
  expect(await page.evaluate(() => document.documentElement.dir)).toBe("rtl");
  expect(found).toEqual({});
});
