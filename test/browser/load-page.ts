import { brotliCompressSync } from "node:zlib";
import type { Page, Request } from "playwright-core";
import { type Account, signInContext } from "./accounts.ts";
import type { TestBrowser } from "./open-browser.ts";

export interface Load {
  /** Milliseconds from the start of the navigation until the element stood there and could be used. */
  interactive: number;
  /** Requests that were sent until then. */
  requests: string[];
  /** Bytes of all JavaScript with Brotli, as the service sends it, that was loaded, also shortly after. */
  script: number;
  foreign: string[];
}

/**
 * Loads an address with an empty cache and watches until the field can be typed into.
 * @param person who is signed in, if anybody
 */
export async function load(
  { url, browser }: { url: string; browser: TestBrowser },
  path: string,
  field: string,
  person?: Account,
): Promise<Load> {
  const page: Page = await browser.openPage({ baseURL: url });
  if (person) {
    await signInContext(page, url, person);
    // Like everyone who was here before; the service's files are not in the cache.
    await page.addInitScript(() => localStorage.setItem("parley:signed-in", "1"));
  }
  await page.addInitScript((field) => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector(`${field}:enabled`)) return;
      watch.disconnect();
      performance.mark("interactive");
    });
    watch.observe(document, { subtree: true, childList: true, attributes: true });
  }, field);
  const sent: Request[] = [];
  page.on("request", (request) => sent.push(request));
  await page.goto(path);
  await page.locator(`${field}:enabled`).waitFor();
  const { interactive, origin } = await page.evaluate(() => ({
    interactive: performance.getEntriesByName("interactive")[0]?.startTime ?? Number.NaN,
    origin: performance.timeOrigin,
  }));
  await page.waitForLoadState("networkidle");
  const scripts = sent.filter((request) => request.resourceType() === "script");
  const bodies = await Promise.all(scripts.map(async (request) => (await request.response())?.body()));
  const result = {
    interactive,
    requests: sent
      .filter((request) => request.timing().startTime - origin < interactive)
      .map((request) => new URL(request.url()).pathname),
    script: bodies.reduce((sum, body) => sum + (body ? brotliCompressSync(body).length : 0), 0),
    foreign: sent
      .map((request) => request.url())
      .filter((sentTo) => !sentTo.startsWith(url) && !sentTo.startsWith("data:")),
  };
  await page.context().close();
  return result;
}
