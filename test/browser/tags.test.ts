import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { answers, call, type ChatWorld, openSharedChatWorld } from "./chat-world.ts";
import { findViolations } from "./find-violations.ts";
import { pressLink } from "./press-link.ts";

let world: ChatWorld;
beforeAll(async () => {
  world = await openSharedChatWorld();
});
afterAll(() => world?.close());
const pages: Page[] = [];
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});
async function openChat(options: Parameters<ChatWorld["openChat"]>[0] = {}): Promise<Page> {
  const page = await world.openChat(options);
  pages.push(page);
  return page;
}

async function storeChat(page: Page, title: string, tags: string[] = []): Promise<string> {
  const messages = {
    q: { id: "q", parentId: null, childrenIds: ["a"], role: "user", content: `About ${title}` },
    a: {
      id: "a",
      parentId: "q",
      childrenIds: [],
      role: "assistant",
      content: "An answer.",
      model: "openai",
      done: true,
    },
  };
  const stored = await call(page.context(), world.parley.url, "POST", "/api/v1/chats/new", {
    chat: { title, tags, history: { currentId: "a", messages } },
  });
  return (stored as { id: string }).id;
}

/** On a phone it is a drawer. */
const rail = (page: Page) => page.locator("#rail");
const dialog = (page: Page) => page.getByRole("dialog");
const row = (page: Page) => page.getByRole("group", { name: "Tags of this chat" });
const found = (page: Page) => page.getByRole("listbox", { name: "Search in all chats" }).getByRole("option");

/** Opens an entry of the menu above the chat. */
async function choose(page: Page, title: string, action: string): Promise<void> {
  await page
    .getByRole("main")
    .getByRole("button", { name: `Actions for ${title}` })
    .click();
  await page.getByRole("menuitem", { name: action }).click();
}

describe.each(["desktop", "phone"] as const)("tags on a %s", (size) => {
  it("are added and removed, and chats are found by them", async () => {
    const page = await openChat({ size });
    await storeChat(page, "Trams of Porto", ["Portugal"]);
    await storeChat(page, "Ferries of Bergen", ["Norway", "sea"]);
    // Open WebUI's ids of both are the same.
    await storeChat(page, "Underscores", ["high water", "high_water"]);
    const id = await storeChat(page, "Tides of Lisbon");
    await pressLink(page, `/c/${id}`);
    await answers(page).waitFor();
    await expect.poll(() => row(page).count()).toBe(0);

    await choose(page, "Tides of Lisbon", "Tags …");
    const field = dialog(page).getByRole("textbox", { name: "Add a tag" });
    await field.and(page.locator(":focus")).waitFor();
    await dialog(page).getByText("This chat has no tags yet.").waitFor();
    await page.keyboard.type("waves");
    await page.keyboard.press("Enter");
    await dialog(page).getByRole("button", { name: "Remove the tag waves" }).waitFor();
    await expect.poll(() => field.inputValue()).toBe("");
    await dialog(page).getByRole("button", { name: "Add the tag Portugal" }).click();
    await dialog(page).getByRole("button", { name: "Remove the tag Portugal" }).waitFor();
    await page.keyboard.type("SEA");
    await page.keyboard.press("Enter");
    // As it is written on the other chat.
    await dialog(page).getByRole("button", { name: "Remove the tag sea" }).waitFor();
    await dialog(page).getByRole("button", { name: "Remove the tag waves" }).click();
    await dialog(page).getByText("waves", { exact: true }).waitFor({ state: "detached" });
    expect(await findViolations(page)).toEqual([]);
    await dialog(page).getByRole("button", { name: "Done" }).click();

    await expect.poll(() => row(page).getByRole("button").allInnerTexts()).toEqual(["Portugal", "sea", ""]);
    await row(page).getByRole("button", { name: "Show chats with the tag Portugal" }).click();
    await expect
      .poll(() => found(page).locator(".title").allInnerTexts())
      .toEqual(["Tides of Lisbon", "Trams of Porto"]);
    await expect.poll(() => found(page).first().innerText()).toContain("Portugal · sea");
    expect(await findViolations(page)).toEqual([]);
    const search = page.getByRole("combobox", { name: "Search in all chats" });
    await search.fill("tides");
    await expect.poll(() => found(page).locator(".title").allInnerTexts()).toEqual(["Tides of Lisbon"]);
    await search.fill("bergen");
    await page.getByText("No chats with the tag “Portugal” match “bergen”.").waitFor();
    await search.fill("");
    await search.press("Backspace");
    const tags = page.getByRole("list", { name: "Tags" });
    await expect
      .poll(async () => (await tags.getByRole("button").allInnerTexts()).map((text) => text.replaceAll(/\s+/gu, " ")))
      .toEqual(["high water 1", "high_water 1", "Norway 1", "Portugal 2", "sea 2"]);
    await tags.getByRole("button", { name: "Show chats with the tag Norway" }).click();
    await expect.poll(() => found(page).locator(".title").allInnerTexts()).toEqual(["Ferries of Bergen"]);
    if (size === "desktop") {
      await search.press("ArrowDown");
      await search.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Ferries of Bergen" }).waitFor();
      await search.press("Escape");
      await rail(page).getByRole("link", { name: "Ferries of Bergen Tags: Norway · sea" }).waitFor();
    }
  });
});

describe("tags", () => {
  it("are the same in every open tab", async () => {
    const page = await openChat();
    const id = await storeChat(page, "Tides");
    await pressLink(page, `/c/${id}`);
    await answers(page).waitFor();
    const other = await page.context().newPage();
    await other.goto("/");
    await rail(other).getByRole("link", { name: "Tides" }).waitFor();
    await call(page.context(), world.parley.url, "POST", `/api/v1/chats/${id}/tags`, { name: "sea" });
    await row(page).getByRole("button", { name: "Show chats with the tag sea" }).waitFor();
    await rail(other).getByRole("link", { name: "Tides Tags: sea" }).waitFor();
    await call(page.context(), world.parley.url, "DELETE", `/api/v1/chats/${id}/tags/all`);
    await row(page).waitFor({ state: "detached" });
    await rail(other).getByRole("link", { name: "Tides", exact: true }).waitFor();
    await expect.poll(() => rail(other).getByText("Tags:").count()).toBe(0);
  });

  it("that cannot be stored say so, and what was typed stays", async () => {
    const page = await openChat();
    const id = await storeChat(page, "Tides");
    await pressLink(page, `/c/${id}`);
    await choose(page, "Tides", "Tags …");
    await page.route("**/tags", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 503, json: { detail: "later" } })
        : route.continue(),
    );
    await dialog(page).getByRole("textbox", { name: "Add a tag" }).fill("sea");
    await page.keyboard.press("Enter");
    await dialog(page).getByText("The tags couldn't be changed").waitFor();
    await expect.poll(() => dialog(page).getByRole("textbox", { name: "Add a tag" }).inputValue()).toBe("sea");
  });
});

describe.each(["desktop", "phone"] as const)("a clone on a %s", (size) => {
  it("is opened at once, with the same messages and tags, and is a chat of its own", async () => {
    const page = await openChat({ size });
    const id = await storeChat(page, "Tides", ["sea"]);
    await pressLink(page, `/c/${id}`);
    await answers(page).waitFor();
    await choose(page, "Tides", "Clone");
    await page.getByRole("heading", { level: 1, name: "Clone of Tides" }).waitFor();
    await page.locator(".toast").getByText("This is “Clone of Tides”, a chat of its own.").waitFor();
    await answers(page).getByText("An answer.").waitFor();
    await row(page).getByRole("button", { name: "Show chats with the tag sea" }).waitFor();
    await rail(page).locator("a", { hasText: "Clone of Tides" }).waitFor({ state: "attached" });
    const copy = new URL(page.url()).pathname;
    expect(copy).not.toBe(`/c/${id}`);
    await call(page.context(), world.parley.url, "DELETE", `/api/v1/chats/${id}`);
    await page.reload();
    await answers(page).getByText("An answer.").waitFor();
  });
});
