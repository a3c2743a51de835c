import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Frame, Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** WCAG 2.1 A and AA, and what axe calls best practice: landmarks, order of headings, names that match. */
const all = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];

/**
 * What axe-core finds wrong on the page as it stands: one line for each rule, with the elements and the reason.
 * @param rules tags or names of rules; all of WCAG 2.1 AA and best practice unless said otherwise
 * @param within a selector: only what is in the last element that it finds
 */
export async function findViolations(page: Page | Frame, rules = all, within?: string): Promise<string[]> {
  // Frames have their own documents, and axe would wait for them.
  const options: RunOptions = { runOnly: rules, resultTypes: ["violations"], iframes: false };
  await settle(page);
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const { violations } = await page.evaluate(
    ({ options, within }) =>
      (
        globalThis as unknown as {
          axe: { run: (root: Document | Element, options: RunOptions) => Promise<AxeResults> };
        }
      ).axe.run(within === undefined ? document : ([...document.querySelectorAll(within)].at(-1) ?? document), options),
    { options, within },
  );
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map((node) => `${node.target.join(" ")} (${node.any[0]?.message ?? node.all[0]?.message ?? ""})`).join("; ")}`,
  );
}

/** Lists and plots that are dimmed while they load again. */
const dimmed = ":is(table, tr, figure, .body, .found)[aria-busy=true]";

/**
 * Until nothing is loaded, moves or fades any more, as after a change of theme: in between, colours are neither of both. What is
 * still dimmed after a while is looked at as it is.
 */
async function settle(page: Page | Frame): Promise<void> {
  await page
    .waitForFunction((busy) => !document.querySelector(busy), dimmed, { timeout: 30_000 })
    .catch(() => undefined);
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const ending = () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) => playState === "running" && effect?.getComputedTiming().iterations !== Infinity,
        );
    while (ending().length > 0) await Promise.allSettled(ending().map((animation) => animation.finished));
  });
}
