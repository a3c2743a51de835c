import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answers, composer, send } from "./chat-world.ts";
import { attach, attached, type DocumentsWorld, openDocumentsWorld } from "./documents-world.ts";
import { findViolations } from "./find-violations.ts";
import { makeTimetable } from "./make-pdf.ts";

let world: DocumentsWorld;
beforeAll(async () => {
  world = await openDocumentsWorld();
});
afterAll(() => world?.close());

/** Everything that lies outside of the page to the side. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("main *, aside *, .panel")]
      .filter((element) => element.checkVisibility() && !element.closest(".pages, nav, .visually-hidden"))
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => element.outerHTML.slice(0, 120)),
  );
}

describe.each(["desktop", "phone"] as const)("documents in a chat on a %s", (size) => {
  it("break no rule of WCAG 2.1 AA in either theme, and fit", { timeout: 120_000 }, async () => {
    const found: Record<string, string[]> = {};
    const page = await world.openChat({ size });
    const check = async (name: string) => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const violations = [...(await findViolations(page)), ...(await tooWide(page))];
        if (violations.length > 0) found[`${name}, ${colorScheme}`] = violations;
      }
    };
    await page.getByRole("button", { name: "Attach files or knowledge" }).click();
    await check("what can be attached");
    await page.keyboard.press("Escape");

    const name = `timetable-${"of-the-north-quay-".repeat(6)}.pdf`;
    await attach(page, { name, mimeType: "application/pdf", buffer: await makeTimetable() });
    await attach(page, { name: "broken.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7\nno") });
    await attach(page, {
      name: "notes.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("Buoys are red. ".repeat(900)),
    });
    await page.locator('[data-status="failed"]').waitFor();
    await expect.poll(() => page.locator('[data-status="completed"]').count()).toBe(2);
    await check("attached files");
    await world.upload(page.context(), "tides.txt", "text/plain", Buffer.from("High at noon"));
    await composer(page).pressSequentially("#t");
    await page.getByRole("option").first().waitFor();
    await check("the list behind a #");
    await composer(page).press("Escape");
    await page.getByRole("button", { name: "Remove broken.pdf" }).click();
    await expect.poll(() => attached(page).count()).toBe(2);

    await send(page, "When does the last ferry leave?");
    await answers(page).and(page.locator('[data-state="done"]')).waitFor();
    await check("an answer with sources");
    await answers(page).locator(".markdown").getByRole("link").click();
    await page.locator(".text-layer .marked").first().waitFor();
    await check("a passage on its page");
    await page.goBack();
    await page.getByRole("list", { name: "Files" }).getByRole("link").filter({ hasText: "notes.txt" }).click();
    await page.getByRole("region", { name: "Text of notes.txt" }).getByText("Buoys are red").waitFor();
    await check("the text of a file");
    expect(found).toEqual({});
    expect(world.complaints).toEqual([]);
    await page.context().close();
  });
});

it("documents on a phone have targets for fingers and stay above the keyboard's place", async () => {
  const page = await world.openChat({ size: "phone" });
  for (const index of [1, 2, 3, 4, 5, 6])
    await attach(page, { name: `file-${index}.txt`, mimeType: "text/plain", buffer: Buffer.from(`Text ${index}`) });
  await expect.poll(() => page.locator('[data-status="completed"]').count()).toBe(6);
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("#main button, #main .card")]
      .filter((control) => control.checkVisibility())
      .map((control) => ({ name: control.ariaLabel ?? control.innerText, box: control.getBoundingClientRect() }))
      .filter(({ box }) => box.height < 43.5)
      .map(({ name, box }) => `${name} ${box.height}`),
  );
  expect(small).toEqual([]);
  const box = await page.locator("form.compose .box").boundingBox();
  expect(box!.y).toBeGreaterThan(200);
  expect(box!.y + box!.height).toBeLessThanOrEqual(844);
  await page.context().close();
});
