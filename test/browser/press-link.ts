import type { Page } from "playwright-core";

/** What stands on every page once it is there. */
const contents = "main :is(h1, textarea, article)";

/** Goes somewhere as a press on a link does, without loading the page again, and waits until the page is there; its contents may still load. */
export async function pressLink(page: Page, address: string): Promise<void> {
  const stays = await page.evaluate(
    ({ href, contents }) => {
      for (const element of document.querySelectorAll<HTMLElement>(contents)) element.dataset["left"] = "";
      const { pathname } = location;
      const link = document.createElement("a");
      link.href = href;
      document.body.append(link);
      link.click();
      link.remove();
      return new URL(href, location.href).pathname === pathname;
    },
    { href: address, contents },
  );
  await page.waitForFunction(
    ({ path, sought }) => location.pathname + location.search === path && document.querySelector(sought) !== null,
    { path: address, sought: stays ? contents : "main :is(h1, textarea, article):not([data-left])" },
    { timeout: 20_000, polling: 30 },
  );
}

/** The same, until what the page loads is there. */
export async function goTo(page: Page, address: string): Promise<void> {
  await pressLink(page, address);
  await page.waitForFunction(() => document.querySelector("main .skeleton") === null, undefined, {
    timeout: 20_000,
    polling: 30,
  });
}
