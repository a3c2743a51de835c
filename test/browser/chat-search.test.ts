import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { answers, call, type ChatWorld, composer, openSharedChatWorld } from "./chat-world.ts";
import type { PageOptions } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";
import { prose, storeLongChat } from "./store-long-chat.ts";
import { takePicture } from "./take-picture.ts";

let world: ChatWorld;
beforeAll(async () => {
  world = await openSharedChatWorld();
});
afterAll(() => world?.close());

const pages: Page[] = [];
async function openChat(options: PageOptions = {}): Promise<Page> {
  const page = await world.openChat(options);
  pages.push(page);
  return page;
}
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});

/** Stores a chat with one question and one answer, as an import does. */
async function storeChat(page: Page, title: string, question = "A question", answer = "An answer"): Promise<string> {
  const messages = {
    q: { id: "q", parentId: null, childrenIds: ["a"], role: "user", content: question, timestamp: 1_760_000_000 },
    a: {
      id: "a",
      parentId: "q",
      childrenIds: [],
      role: "assistant",
      content: answer,
      timestamp: 1_760_000_001,
      model: "openai",
      done: true,
    },
  };
  const stored = await call(page.context(), world.parley.url, "POST", "/api/v1/chats/new", {
    chat: { title, history: { currentId: "a", messages } },
  });
  return (stored as { id: string }).id;
}

const rail = (page: Page) => page.getByRole("navigation");
const entry = (page: Page, title: string) => rail(page).getByRole("link", { name: title, exact: true });

/** How far the middle of a message is from the middle of the thread, in pixels. */
const offCentre = (page: Page, id: string) =>
  page.evaluate((wanted) => {
    const box = document.querySelector("[role=log]")!.getBoundingClientRect();
    const at = document.querySelector(`[data-message="${wanted}"]`)!.getBoundingClientRect();
    return Math.abs(at.top + at.height / 2 - (box.top + box.height / 2));
  }, id);

describe("a message that was found", () => {
  it("is where the chat opens: in the middle, marked, with its words marked in the results", async () => {
    const page = await openChat();
    const id = await storeLongChat(page, world.parley.url, "Tides and lighthouses", 200, {
      61: `The old Lighthouse stands there. ${prose(61)}`,
    });
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.keyboard.type("old lighthouse");
    const hit = page.getByRole("option", { name: /Tides and lighthouses/ });
    await hit.waitFor();
    await expect.poll(() => hit.locator("mark").allInnerTexts()).toEqual(["lighthouse", "old", "Lighthouse"]);
    await expect.poll(() => hit.locator("time").isVisible()).toBe(true);
    const [loaded] = await Promise.all([
      page.waitForResponse((response) => response.url().includes(`/api/v1/chats/${id}`)),
      hit.click(),
    ]);
    await page.waitForURL(`**/c/${id}?message=m61`);
    const { responseBodySize } = await loaded.request().sizes();
    expect(responseBodySize).toBeLessThan(150_000);
    await expect.poll(() => offCentre(page, "m61")).toBeLessThan(40);
    await page.getByRole("log").locator(".found").getByText("The old Lighthouse stands there").waitFor();

    // All of it is on the page for the browser's own search, and the view stays where it is.
    await expect.poll(() => page.locator("[data-message]").count()).toBe(200);
    await expect.poll(() => page.evaluate(() => document.body.textContent.includes("Question 0"))).toBe(true);
    await expect.poll(() => offCentre(page, "m61")).toBeLessThan(40);

    // The same result again leads there again.
    await page.getByRole("button", { name: "Latest" }).click();
    await answers(page).last().getByText("199").waitFor();
    await page.getByRole("option", { name: /Tides and lighthouses/ }).click();
    await expect.poll(() => offCentre(page, "m61")).toBeLessThan(40);
    console.log(`200 messages: ${responseBodySize} bytes on the wire`);
    await takePicture(page, "search");
  });

  it("opens a chat of 200 messages quickly", async () => {
    const page = await openChat();
    const id = await storeLongChat(page, world.parley.url, "Long", 200);
    const link = page.getByRole("navigation").getByRole("link", { name: "Long", exact: true });
    await link.waitFor();
    // What renders text is loaded by then.
    await pressLink(page, `/c/${id}`);
    await answers(page).last().locator("strong").waitFor();
    await page.getByRole("link", { name: "New chat" }).click();
    await page.waitForURL((url) => url.pathname === "/");
    const took = await page.evaluate(async (title) => {
      const start = performance.now();
      [...document.querySelectorAll<HTMLElement>("nav a")].find((each) => each.textContent.includes(title))!.click();
      while (!document.querySelector('[data-message="m199"] strong')) await new Promise(requestAnimationFrame);
      return performance.now() - start;
    }, "Long");
    console.log(`200 messages: open after ${took.toFixed(0)} ms`);
    // Far above what it takes, so that a busy machine is no failure.
    expect(took).toBeLessThan(10_000);
  });
});

describe("the search", () => {
  it("finds words in messages, shows where they stand, and is used by keyboard alone", async () => {
    const page = await openChat();
    const wanted = await storeChat(
      page,
      "Tides",
      "When is high water?",
      "High water is at **noon** near the [lighthouse](https://harbour.example/).",
    );
    await storeChat(page, "Other", "Something", "else");
    await entry(page, "Tides").waitFor();
    await page.getByRole("button", { name: "Search", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("lighthouse");
    const found = page.getByRole("option", { name: /Tides/ });
    await found.waitFor();
    // As words: what makes them bold or a link is not shown.
    await expect.poll(() => found.innerText()).toContain("High water is at noon near the lighthouse.");
    await expect.poll(() => page.getByRole("option").count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/c/${wanted}?message=a`);
    // The chat takes the focus once it stands there.
    await page.getByRole("main").getByText("High water is at noon").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe("textarea");
    await page.getByRole("combobox", { name: "Search in all chats" }).press("Escape");
    await entry(page, "Other").waitFor();
  });

  it.each(["desktop", "phone"] as const)(
    "has its date whole beside a title that is too long, on a %s",
    async (size) => {
      const page = await openChat({ size });
      await storeChat(page, "Which of the lighthouses along the northern coast still has its keeper?");
      if (size === "phone") await page.getByRole("button", { name: "Open the menu" }).click();
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await page.keyboard.type("lighthouses");
      const date = page.getByRole("option").first().locator("time");
      await date.waitFor();
      const endOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().right);
      expect(await endOf(date)).toBeLessThanOrEqual(
        await endOf(page.getByRole("listbox", { name: "Search in all chats" })),
      );
    },
  );

  it("takes % and _ for plain letters and says when there is nothing", async () => {
    const page = await openChat();
    await storeChat(page, "Plain", "nothing special", "here");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.keyboard.type("100%_");
    await page.getByText("No chats match “100%_”.").waitFor();
    await expect.poll(() => page.getByRole("option").count()).toBe(0);
  });

  it("is in the palette too", async () => {
    const page = await openChat();
    await storeChat(page, "Berth plan", "quay", "bollard");
    await entry(page, "Berth plan").waitFor();
    // The palette is loaded now; what is typed meanwhile belongs to it.
    await page.route("**/assets/Palette*.js", async (route) => {
      await composer(page).press("b");
      await page.keyboard.type("ollarx");
      await page.keyboard.press("Backspace");
      await route.continue();
    });
    await composer(page).press("Control+k");
    await page
      .getByRole("combobox", { name: "Search and commands" })
      .or(page.getByRole("dialog").getByRole("combobox"))
      .first()
      .waitFor();
    await page.keyboard.type("d");
    await page.getByRole("option", { name: /Berth plan/ }).click();
    await expect.poll(() => composer(page).inputValue()).toBe("");
    await answers(page).getByText("bollard").waitFor();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });
});
