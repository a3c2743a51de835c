import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  lastQuestion,
  type ScriptedUpstream,
  startScriptedUpstream,
  textIn,
} from "../fixtures/upstreams/scripted-upstream.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { answers, ask, call, composer, questions, signUp } from "./chat-world.ts";
import { isUncovered } from "./is-uncovered.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";
import { storeLongChat } from "./store-long-chat.ts";
import { takePicture } from "./take-picture.ts";

let parley: Parley;
let upstream: ScriptedUpstream;
let browser: TestBrowser;
beforeAll(async () => {
  [parley, upstream, browser] = await Promise.all([
    startParley({
      env: {
        DEFAULT_USER_ROLE: "user",
        ENABLE_TITLE_GENERATION: "false",
        DEFAULT_PROMPT_SUGGESTIONS: "When is high water?;Which ferry runs on Sunday?",
      },
    }),
    startScriptedUpstream({
      plain: (request) => ({ content: `About ${lastQuestion(request)}: the tide turns twice a day.` }),
      short: () => ({ content: "The tide", finish: "length" }),
      filtered: () => ({ content: "The tide", finish: "content_filter" }),
      small: ({ messages }) => ({
        content: textIn(messages[0]?.content).startsWith("Summarize") ? "They spoke of **ships**." : "Low water.",
        tokens: [990, 10],
      }),
    }),
    openBrowser(),
  ]);
  upstream.listed["small"] = { context_length: 2000 };
  const admin = await browser.openPage({ baseURL: parley.url });
  await signUp(admin.context(), parley.url);
  await call(admin.context(), parley.url, "POST", "/api/v1/connections", {
    kind: "openai",
    name: "Scripted",
    base_url: upstream.url,
  });
  await admin.context().close();
});
afterAll(async () => {
  await browser.close();
  await Promise.all([parley.stop(), upstream.close()]);
});

const pages: Page[] = [];
async function openPage(path = "/", options: PageOptions = {}): Promise<Page> {
  const page = await browser.openPage({ baseURL: parley.url, ...options });
  pages.push(page);
  await signUp(page.context(), parley.url);
  await page.goto(path);
  await composer(page).waitFor();
  return page;
}
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});

const thread = (page: Page) => page.getByRole("log");

const storeChat = (page: Page, title: string, count: number, words?: Record<number, string>) =>
  storeLongChat(page, parley.url, title, count, words);

/** Resolves when the thread has stood still for a number of frames. */
const settled = (page: Page) =>
  thread(page).evaluate(async (box) => {
    let last = Number.NaN;
    for (let still = 0; still < 20;) {
      await new Promise(requestAnimationFrame);
      const at = box.scrollTop + box.scrollHeight;
      still = at === last ? still + 1 : 0;
      last = at;
    }
  });

async function begin(page: Page, model: string): Promise<void> {
  await page.getByRole("button", { name: /^Model:/ }).click();
  await page.getByRole("option").filter({ hasText: model }).first().click();
  await page.getByRole("button", { name: `Model: ${model}` }).waitFor();
}

describe("the end of an answer", () => {
  it("says that the length limit or a filter ended it, and goes on", async () => {
    const page = await openPage();
    await begin(page, "short");
    await ask(page, "When is high water?");
    const answer = answers(page).last();
    await answer.getByText("The answer reached its length limit and is not complete.").waitFor();
    await page.reload();
    await answer.getByText("The answer reached its length limit").waitFor();
    upstream.scripts["short"] = () => ({ content: " turns at noon." });
    await answer.getByText("length limit").locator("..").getByRole("button", { name: "Continue" }).click();
    await answer.getByText("The tide turns at noon.").waitFor();
    await answer.getByText("length limit").waitFor({ state: "detached" });
    await page.reload();
    await answer.getByText("The tide turns at noon.").waitFor();
    await expect.poll(() => answer.getByText("length limit").count()).toBe(0);

    await begin(page, "filtered");
    await ask(page, "And low water?");
    const filtered = answers(page).last();
    await filtered.getByText("The provider's content filter ended this answer.").waitFor();
    await expect.poll(() => filtered.locator(".end").getByRole("button", { name: "Continue" }).count()).toBe(0);
  });
});

describe("editing a question", () => {
  it("comes into view by the Up key, stays there, and gives the focus back", async () => {
    const page = await openPage();
    const id = await storeChat(page, "Long answer", 4, {
      3: Array.from({ length: 60 }, (_, at) => `Line ${at}`).join("\n\n"),
    });
    await pressLink(page, `/c/${id}`);
    await answers(page).last().getByText("Line 59").waitFor();
    await composer(page).focus();
    await page.keyboard.press("ArrowUp");
    const field = page.getByRole("textbox", { name: "Edit your message" });
    await field.waitFor();
    const isWhole = () =>
      field.evaluate((element) => {
        const box = element.closest("[role=log]")!.getBoundingClientRect();
        const { top, bottom } = element.getBoundingClientRect();
        return top >= box.top && bottom <= box.bottom;
      });
    await expect.poll(isWhole).toBe(true);
    // It stays there while the thread finds its place again.
    await settled(page);
    await expect.poll(() => isWhole()).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Message");
    const last = questions(page).last();
    await last.getByRole("button", { name: "Edit" }).click();
    await field.press("Escape");
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Edit");
  });
});

describe("an answer of one's own", () => {
  it("is edited in its place, marked, and given back; a chat goes on from it in another one", async () => {
    const page = await openPage();
    const id = await storeChat(page, "Edited", 4, { 1: "High water is at noon.", 3: "Low water follows." });
    await pressLink(page, `/c/${id}`);
    const answer = answers(page).first();
    await answer.getByText("High water is at noon.").waitFor();
    await answer.hover();
    await answer.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const field = page.getByRole("textbox", { name: "Edit this answer" });
    await expect.poll(() => field.inputValue()).toBe("High water is at noon.");
    await field.fill("High water is at **one**.");
    await answer.getByRole("button", { name: "Save" }).click();
    await answer.getByText("Edited by you").waitFor();
    await answer.locator("strong", { hasText: "one" }).waitFor();
    // All of the chat is in view: there is no end to go to.
    await expect.poll(() => page.getByRole("button", { name: "Latest" }).count()).toBe(0);
    await takePicture(page, "edited");

    // The model gets the person's text.
    await begin(page, "plain");
    await ask(page, "Thanks");
    expect(upstream.requests.at(-1)!.messages[1]).toMatchObject({ content: "High water is at **one**." });

    await page.reload();
    await answer.getByText("Edited by you").waitFor();
    await answer.getByRole("button", { name: "Restore the model's text" }).click();
    await answer.getByText("High water is at noon.").waitFor();
    await answer.getByText("Edited by you").waitFor({ state: "detached" });

    await answer.hover();
    await answer.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Continue in a new chat" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/c/") && url.pathname !== `/c/${id}`);
    await page.getByRole("heading", { level: 1, name: "Edited (fork)" }).waitFor();
    await answer.getByText("High water is at noon.").waitFor();
    await expect.poll(() => page.locator("[data-message]").count()).toBe(2);

    // The notice about it covers neither what sends a message nor what a dialog is for; it stays while it is pointed at.
    const notice = page.locator(".toast").getByText("This is “Edited (fork)”");
    await notice.hover();
    await composer(page).fill("And tomorrow?");
    await page.getByRole("button", { name: "More actions" }).first().press("Enter");
    await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    expect(await isUncovered(dialog.locator("[data-main]"))).toBe(true);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => isUncovered(dialog.locator("[data-main]"))).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(() => isUncovered(page.getByRole("button", { name: "Send" }))).toBe(true);
  });
});

describe("a long conversation", () => {
  it("is shortened before the model's context is full, in view, and can be changed and undone", async () => {
    const page = await openPage();
    const id = await storeChat(page, "Very long", 24);
    await pressLink(page, `/c/${id}`);
    await answers(page).last().getByText("23.11").waitFor();
    await begin(page, "small");
    const meter = page.getByRole("meter", { name: "Context used" });
    await expect.poll(async () => Number(await meter.getAttribute("aria-valuenow"))).toBeGreaterThan(1000);
    await ask(page, "And low water?");
    await answers(page).last().getByRole("status").getByText("Earlier messages were summarized").waitFor();
    await expect
      .poll(() => meter.getAttribute("aria-valuetext"))
      .toBe("About 50% of the model's context is used (1,000 of 2,000 tokens).");

    const fold = thread(page).locator("details", { hasText: "Models get a summary of the messages above" });
    await fold.locator("summary").click();
    await fold.locator("strong", { hasText: "ships" }).waitFor();
    await takePicture(page, "fold");
    await fold.getByRole("button", { name: "Edit summary" }).click();
    await page.getByRole("textbox", { name: "Edit summary" }).fill("They spoke of boats.");
    await fold.getByRole("button", { name: "Save" }).click();
    await fold.getByText("They spoke of boats.").waitFor();
    await page.reload();
    await fold.locator("summary").click();
    await fold.getByText("They spoke of boats.").waitFor();
    // Nothing of the conversation is lost.
    await expect.poll(() => page.locator("[data-message]").count()).toBe(26);
    await fold.getByRole("button", { name: "Remove summary" }).click();
    await fold.waitFor({ state: "detached" });
    await expect.poll(() => page.locator("[data-message]").count()).toBe(26);

    // By hand, at any time.
    await page.locator("header").getByRole("button", { name: "Actions for Very long" }).click();
    await page.getByRole("menuitem", { name: "Summarize earlier messages" }).click();
    await page.getByText("Models now get a summary of the earlier messages.").waitFor();
    await fold.waitFor();
  });
});

describe("a question", () => {
  it("stays, with its answer, where the chat was read before it was stored and arrives after both", async () => {
    const page = await openPage();
    await begin(page, "plain");
    const id = await ask(page, "When is high water?");
    const path = `/api/v1/chats/${id}`;
    const read = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    await page.route(
      (url) => url.pathname === path,
      async (route) => {
        const response = await route.fetch();
        read.resolve();
        await gate.promise;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    // Renamed elsewhere, the chat is loaded again.
    await call(page.context(), parley.url, "POST", path, { chat: { title: "Tides" } });
    await read.promise;
    await ask(page, "And low water?");
    const arrived = page.waitForResponse((response) => new URL(response.url()).pathname === path);
    gate.resolve();
    await (await arrived).finished();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await questions(page).allInnerTexts()).toEqual([
      expect.stringContaining("When is high water?"),
      expect.stringContaining("And low water?"),
    ]);
    expect(await answers(page).count()).toBe(2);
    await page.getByRole("navigation").getByRole("link", { name: "Tides" }).waitFor();
  });
});

describe("an empty page", () => {
  it.each(["desktop", "phone"] as const)(
    "has the field under the greeting, and offers questions, on a %s",
    async (size) => {
      const page = await openPage("/", { size });
      const suggested = page.getByRole("list", { name: "Suggested questions" });
      await suggested.getByRole("button", { name: "Which ferry runs on Sunday?" }).waitFor();
      const greeting = (await page.getByRole("heading", { level: 1 }).boundingBox())!;
      const field = (await composer(page).boundingBox())!;
      const offered = (await suggested.boundingBox())!;
      expect(field.y).toBeGreaterThan(greeting.y);
      expect(field.y - greeting.y).toBeLessThan(200);
      expect(offered.y).toBeGreaterThan(field.y);
      await takePicture(page, `empty-${size}`);
      await suggested.getByRole("button", { name: "When is high water?" }).click();
      await expect.poll(() => composer(page).inputValue()).toBe("When is high water?");
      // Until the page is at the chat's address: it would go there after the link.
      await ask(page, "What is a bollard?");
      await pressLink(page, "/");
      await page
        .getByRole("list", { name: "Asked recently" })
        .getByRole("button", { name: "What is a bollard?" })
        .click();
      await expect.poll(() => composer(page).inputValue()).toBe("What is a bollard?");
    },
  );
});

describe("keys", () => {
  it("hide and show the menu at the side, which stays as it was, and lead to the field from anywhere", async () => {
    const page = await openPage();
    const rail = page.getByRole("navigation", { name: "Main navigation" });
    await rail.getByRole("button", { name: "Hide the menu" }).click();
    await rail.waitFor({ state: "hidden" });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Open the menu");
    await page.reload();
    await composer(page).waitFor();
    await expect.poll(() => rail.isVisible()).toBe(false);
    await takePicture(page, "no-rail");
    await page.keyboard.press("Control+Shift+S");
    await rail.waitFor();
    await page.keyboard.press("Control+Shift+S");
    await rail.waitFor({ state: "hidden" });
    await pressLink(page, "/settings/instructions");
    await page.getByRole("button", { name: "Open the menu" }).click();
    await rail.waitFor();

    await page.keyboard.press("Shift+Escape");
    await page.waitForURL((url) => url.pathname === "/");
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Message");
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog");
    await keys.getByText("Go to the message field").waitFor();
    await keys.getByText("Show or hide the menu").waitFor();
  });
});

describe("one's own instructions", () => {
  it("go into every chat, except where they are switched off", async () => {
    const page = await openPage();
    await pressLink(page, "/settings/instructions");
    await page.getByRole("textbox", { name: "Instructions" }).fill("Answer in Danish.");
    await takePicture(page, "instructions");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your instructions were saved.").waitFor();
    await pressLink(page, "/");
    await begin(page, "plain");
    await ask(page, "When is low water?");
    expect(upstream.requests.at(-1)!.messages[0]).toEqual({ role: "system", content: "Answer in Danish." });
    await page.getByRole("button", { name: "Chat parameters" }).click();
    await page.getByRole("switch", { name: "Use your own instructions" }).click();
    await page.getByRole("button", { name: "Chat parameters (changed)" }).waitFor();
    await ask(page, "And tomorrow?");
    expect(upstream.requests.at(-1)!.messages[0]).toMatchObject({ role: "user" });
    expect(upstream.requests.at(-1)).not.toHaveProperty("personal_instructions");
  });
});
