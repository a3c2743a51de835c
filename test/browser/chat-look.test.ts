import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  answers,
  call,
  type ChatWorld,
  chooseModel,
  composer,
  openSharedChatWorld,
  questions,
  send,
} from "./chat-world.ts";
import { findViolations } from "./find-violations.ts";
import { pressLink } from "./press-link.ts";

let world: ChatWorld;
beforeAll(async () => {
  world = await openSharedChatWorld();
});
afterAll(() => world?.close());

/** Stores a chat of so many messages, each answer with a list and code. */
async function storeLongChat(page: Page, count: number): Promise<string> {
  const messages = Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const isAnswer = index % 2 === 1;
      const content = isAnswer
        ? `Answer ${index} with **bold**\n\n- one\n- two\n\n\`\`\`ts\nconst n = ${index};\n\`\`\``
        : `Question ${index}`;
      const place = {
        parentId: index === 0 ? null : `m${index - 1}`,
        childrenIds: index === count - 1 ? [] : [`m${index + 1}`],
      };
      return [
        `m${index}`,
        {
          id: `m${index}`,
          ...place,
          role: isAnswer ? "assistant" : "user",
          content,
          timestamp: 1_760_000_000 + index,
          model: "openai",
          done: true,
        },
      ];
    }),
  );
  const stored = await call(page.context(), world.parley.url, "POST", "/api/v1/chats/new", {
    chat: { title: "Long", history: { currentId: `m${count - 1}`, messages } },
  });
  return (stored as { id: string }).id;
}

const thread = (page: Page) => page.getByRole("log");

describe("a conversation of 1,250 messages", () => {
  it("shows its end first, gets 1,000 of them by itself, and keeps the place while earlier ones come in", async () => {
    const page = await world.openChat();
    const id = await storeLongChat(page, 1250);
    const start = performance.now();
    await page.goto(`/c/${id}`);
    await answers(page).getByText("Answer 1249").waitFor();
    const shown = performance.now() - start;
    console.log(`1,250 messages: shown after ${shown.toFixed(0)} ms`);
    expect(shown).toBeLessThan(20_000);
    await expect
      .poll(() => thread(page).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight))
      .toBeLessThan(30);
    // What the browser's own search finds.
    await expect.poll(() => page.locator("[data-message]").count()).toBeGreaterThanOrEqual(1000);
    await expect.poll(() => page.locator("[data-message]").count()).toBeLessThan(1250);
    await expect
      .poll(() => thread(page).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight))
      .toBeLessThan(30);
    const moved = await thread(page).evaluate(async (box) => {
      // What a person scrolls past has been drawn before they come to it.
      box.scrollTop = 1500;
      for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
      box.scrollTop -= 900;
      const marked = [...box.querySelectorAll("[data-message]")].find((one) => one.getBoundingClientRect().top > 80);
      const before = marked?.getBoundingClientRect().top ?? 0;
      const count = box.querySelectorAll("[data-message]").length;
      while (box.querySelectorAll("[data-message]").length === count) await new Promise(requestAnimationFrame);
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      return Math.abs((marked?.getBoundingClientRect().top ?? 0) - before);
    });
    expect(moved).toBeLessThan(4);
    await page.context().close();
  });
});

describe("the view during an answer", () => {
  it("follows the end only while the person is there, and offers the way back", async () => {
    const page = await world.openChat();
    const id = await storeLongChat(page, 20);
    await pressLink(page, `/c/${id}`);
    await answers(page).getByText("Answer 19").waitFor();
    const hold = world.upstream.holdAfter(4);
    await send(page, "And now?");
    await hold.reached;
    await answers(page).last().getByText("Paris").waitFor();
    const distance = () => thread(page).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    await expect.poll(() => distance()).toBeLessThan(30);
    await thread(page).hover();
    await page.mouse.wheel(0, -600);
    await page.getByRole("button", { name: "Latest" }).waitFor();
    // A wheel may turn on for some frames.
    const place = await thread(page).evaluate(async (box) => {
      let last = Number.NaN;
      for (let still = 0; still < 5;) {
        await new Promise(requestAnimationFrame);
        still = box.scrollTop === last ? still + 1 : 0;
        last = box.scrollTop;
      }
      return last;
    });
    hold.release();
    await answers(page).last().and(page.locator('[data-state="done"]')).waitFor();
    expect(Math.abs((await thread(page).evaluate((box) => box.scrollTop)) - place)).toBeLessThan(4);
    await page.getByRole("button", { name: "Latest" }).click();
    await expect.poll(distance).toBeLessThan(30);
    await page.getByRole("button", { name: "Latest" }).waitFor({ state: "detached" });
    await page.context().close();
  });
});

describe("a phone", () => {
  it("shows everything within its width, the last line above the field, and targets for fingers", async () => {
    const page = await world.openChat({ size: "phone" });
    await composer(page).fill("What is the capital of France?");
    await page.getByRole("button", { name: "Send" }).tap();
    await answers(page).and(page.locator('[data-state="done"]')).waitFor();
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
      .toBeLessThanOrEqual(0);
    const field = await page.locator("form.compose .box").boundingBox();
    const last = await answers(page).last().locator(".markdown").boundingBox();
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThan(field?.y ?? 0);
    expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(844);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("#main button, #main textarea, #main header a")]
        .filter((control) => control.checkVisibility())
        .map((control) => ({ name: control.ariaLabel ?? control.innerText, box: control.getBoundingClientRect() }))
        .filter(({ box }) => box.height < 43.5)
        .map(({ name, box }) => `${name} ${box.height}`),
    );
    expect(small).toEqual([]);
    await page.getByRole("button", { name: "Open the menu" }).tap();
    await page.getByRole("navigation").getByRole("link", { name: "New chat" }).tap();
    await page.getByRole("heading", { name: "What is on your mind" }).waitFor();
    await composer(page).waitFor();
    await expect.poll(() => questions(page).count()).toBe(0);
    await page.context().close();
  });
});

describe.each(["desktop", "phone"] as const)("what opens over a chat or happens in it, on a %s", (size) => {
  it("breaks no rule of WCAG 2.1 AA in either theme", async () => {
    const found: Record<string, string[]> = {};
    const page = await world.openChat({ size });
    const check = async (name: string) => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const violations = await findViolations(page);
        if (violations.length > 0) found[`${name}, ${colorScheme}`] = violations;
      }
    };
    await chooseModel(page, "deepseek");
    const hold = world.upstream.holdAfter(4);
    await send(page, "What is the capital of France?");
    await hold.reached;
    await answers(page).waitFor();
    await check("an answer being written");
    hold.release();
    await answers(page).and(page.locator('[data-state="done"]')).waitFor();
    await page.locator("details.reasoning summary").click();
    await check("reasoning opened");
    await questions(page).getByRole("button", { name: "Edit" }).click();
    await check("a message being edited");
    await page.keyboard.press("Escape");
    await chooseModel(page, "fault-cut");
    await send(page, "And now?");
    await answers(page).and(page.locator('[data-state="error"]')).waitFor();
    await check("an answer that broke off");
    await page.getByRole("button", { name: /^Model:/ }).click();
    await check("the models");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "More actions" }).last().click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").waitFor();
    await check("the question before deleting");
    await page.keyboard.press("Escape");
    if (size === "phone") await page.getByRole("button", { name: "Open the menu" }).click();
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.keyboard.type("capital");
    await page.getByRole("option").first().waitFor();
    await check("the search");
    expect(found).toEqual({});
    await page.context().close();
  });
});

describe("what is wide", () => {
  it.each(["desktop", "phone"] as const)(
    "stays within the page on a %s: titles, tables, code, words, formulas",
    async (size) => {
      const page = await world.openChat({ size });
      const word = "x".repeat(300);
      const row = `| ${Array.from({ length: 12 }, (_, index) => `column ${index}`).join(" | ")} |`;
      const content = `${word}\n\n${row}\n|${"---|".repeat(12)}\n${row}\n\n\`\`\`ts\nconst wide = "${word}";\n\`\`\`\n\n$$${"a+".repeat(120)}a$$`;
      const stored = (await call(page.context(), world.parley.url, "POST", "/api/v1/chats/new", {
        chat: {
          title: `A title that is far too long for any phone ${word}`,
          history: {
            currentId: "a",
            messages: {
              q: { id: "q", parentId: null, childrenIds: ["a"], role: "user", content: word },
              a: { id: "a", parentId: "q", childrenIds: [], role: "assistant", content, model: "openai", done: true },
            },
          },
        },
      })) as { id: string };
      await pressLink(page, `/c/${stored.id}`);
      await answers(page).locator(".katex").first().waitFor();
      const { width } = page.viewportSize()!;
      const tooWide = await page.evaluate((limit) => {
        const isClipped = (element: Element) => element.closest(".table-scroll, .code, .katex-display, nav") !== null;
        return [...document.querySelectorAll("header, form, textarea, [data-message], [data-message] *, button")]
          .filter((element) => !isClipped(element) && element.getBoundingClientRect().right > limit + 1)
          .map((element) => element.outerHTML.slice(0, 120));
      }, width);
      expect(tooWide).toEqual([]);
    },
  );
});
