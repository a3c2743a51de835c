import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { textsIn } from "../../scripts/texts/compare-languages.ts";
import germanSettings from "../../src/ui/languages/de/settings.ts";
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

/** Those that the tests look for, of a language. */
interface Words {
  "sign-in": { signIn: { title: string } };
  components: { language: { label: string } };
  settings: { appearance: { title: string } };
  "admin/people": { title: string };
}
const wordsOf = async (tag: string) => (await textsIn(tag)) as unknown as Words;
const languageOf = (page: Page) =>
  page.evaluate(() => [document.documentElement.lang, document.documentElement.dir].join(" "));

test("the page speaks the browser's language until the person chooses another, before and after signing in", async () => {
  const [german, french] = await Promise.all([wordsOf("de"), wordsOf("fr")]);
  const page = await browser.openPage({ baseURL: parley.url, locale: "de-AT" });
  await page.goto("/sign-in");
  await page.getByRole("heading", { name: german["sign-in"].signIn.title }).waitFor();
  await expect.poll(() => languageOf(page)).toBe("de ltr");

  await page.getByLabel(german.components.language.label).selectOption("fr");
  await page.getByRole("heading", { name: french["sign-in"].signIn.title }).waitFor();

  await signInContext(page, parley.url, ada);
  await page.goto("/settings/appearance");
  await page.getByRole("heading", { name: french.settings.appearance.title, level: 1 }).waitFor();
  await page.getByLabel(french.components.language.label).selectOption("");
  await page.getByRole("heading", { name: german.settings.appearance.title, level: 1 }).waitFor();
  await page.goto("/admin/people");
  await page.getByRole("heading", { name: german["admin/people"].title, level: 1 }).waitFor();
  await page.goto("/admin/settings");
  await page.getByLabel(germanSettings.DEFAULT_USER_ROLE[0], { exact: true }).waitFor();
});

test("a browser whose language is missing, or whose language does not arrive, gets English", async () => {
  const dutch = await browser.openPage({ baseURL: parley.url, locale: "nl-NL" });
  await dutch.goto("/sign-in");
  await dutch.getByRole("heading", { name: "Sign in" }).waitFor();

  const broken = await browser.openPage({ baseURL: parley.url, locale: "ja-JP" });
  const { title } = (await wordsOf("ja"))["sign-in"].signIn;
  await broken.goto("/sign-in");
  await broken.getByRole("heading", { name: title }).waitFor();
  const files = await broken.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
  );
  const language = files.filter((name) => /\/app-[^/]*\.js$/.test(name));
  expect(language).toHaveLength(1);
  await broken.route(`**${language[0] ?? ""}`, (route) => route.abort());
  await broken.goto("/sign-up");
  await broken.getByRole("heading", { name: "Create your account" }).waitFor();
});

test.each(["desktop", "phone"] as const)(
  "in Arabic, everything stands the other way around and nothing is wider than the page (%s)",
  async (size) => {
    const page = await browser.openPage({ baseURL: parley.url, locale: "ar-EG", size });
    await signInContext(page, parley.url, ada);
    for (const path of ["/", "/settings/appearance", "/knowledge", "/admin/people", "/admin/settings"]) {
      await page.goto(path);
      await page.getByRole("main").locator("h1, textarea").first().waitFor();
      await expect.poll(() => languageOf(page)).toBe("ar rtl");
      const [width, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect(width, path).toBeLessThanOrEqual(shown ?? 0);
    }
    if (size === "phone") return;
    const rail = await page.getByRole("navigation").first().boundingBox();
    const main = await page.getByRole("main").boundingBox();
    expect(rail?.x).toBeGreaterThan(main?.x ?? Infinity);
  },
);
