import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { answers, ask, call, type ChatWorld, composer, openSharedChatWorld, send } from "./chat-world.ts";
import type { PageOptions } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";

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

async function choose(page: Page, title: string, action: string): Promise<void> {
  await entry(page, title).hover();
  await rail(page)
    .getByRole("button", { name: `Actions for ${title}` })
    .click();
  await page.getByRole("menuitem", { name: action }).click();
}

describe("the list of chats", () => {
  it("shows a chat that was stored elsewhere at once, and takes away one that was deleted elsewhere", async () => {
    const page = await openChat();
    const id = await storeChat(page, "Stored by a script");
    await entry(page, "Stored by a script").waitFor();
    await call(page.context(), world.parley.url, "DELETE", `/api/v1/chats/${id}`);
    await page.getByText("Your chats will appear here.").waitFor();
    await expect.poll(() => entry(page, "Stored by a script").count()).toBe(0);
  });

  it("gets the title that the model wrote, in the rail and in the tab", async () => {
    const page = await openChat();
    await ask(page, "What is the capital of France?");
    await expect.poll(() => page.title()).toMatch(/Paris/);
    await rail(page).getByRole("link", { name: /Paris/ }).waitFor();
  });

  it("gets it from a later answer where the first one was stopped", async () => {
    const page = await openChat();
    const hold = world.upstream.holdAfter(6);
    await send(page, "What is the capital of France?");
    await hold.reached;
    await answers(page).getByText("Paris").waitFor();
    await composer(page).press("Escape");
    await page.getByText("You stopped this answer.").waitFor();
    hold.release();
    await rail(page).getByRole("link", { name: "What is the capital of France?" }).waitFor();
    await ask(page, "Once more, please.");
    await rail(page)
      .getByRole("link", { name: /^Paris is the capital/ })
      .waitFor();
    await expect.poll(() => page.title()).toMatch(/Paris/);
  });

  it("renames in place, for every tab, and a title that a person chose stays", async () => {
    const page = await openChat();
    const id = await storeChat(page, "Old name");
    await pressLink(page, `/c/${id}`);
    await answers(page).waitFor();
    const other = await page.context().newPage();
    await other.goto("/");
    await choose(page, "Old name", "Rename");
    await page.getByRole("textbox", { name: "Title of the chat" }).fill("New name");
    await page.keyboard.press("Enter");
    await entry(page, "New name").waitFor();
    await entry(other, "New name").waitFor();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).innerText()).toBe("New name");
    await choose(page, "New name", "Rename");
    await page.getByRole("textbox", { name: "Title of the chat" }).fill("Never mind");
    await page.keyboard.press("Escape");
    await entry(page, "New name").waitFor();
    await ask(page, "Hello");
    await page.reload();
    await entry(page, "New name").waitFor();
  });

  it("pins and unpins", async () => {
    const page = await openChat();
    await storeChat(page, "Important");
    await storeChat(page, "Newer");
    await entry(page, "Newer").waitFor();
    await choose(page, "Important", "Pin");
    const pinned = page.getByRole("region", { name: "Pinned" });
    await pinned.getByRole("link", { name: "Important" }).waitFor();
    await page.reload();
    await pinned.getByRole("link", { name: "Important" }).waitFor();
    await choose(page, "Important", "Unpin");
    await pinned.waitFor({ state: "detached" });
    await expect.poll(() => entry(page, "Important").count()).toBe(1);
  });

  it("asks before deleting, names the loss, and leaves the chat that is gone", async () => {
    const page = await openChat();
    const id = await storeChat(page, "To be deleted");
    await pressLink(page, `/c/${id}`);
    await answers(page).waitFor();
    await choose(page, "To be deleted", "Delete");
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.innerText()).toContain("“To be deleted” and all its messages");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await entry(page, "To be deleted").waitFor();
    await choose(page, "To be deleted", "Delete");
    await dialog.getByRole("button", { name: "Delete chat" }).click();
    await entry(page, "To be deleted").waitFor({ state: "detached" });
    await page.waitForURL((url) => url.pathname === "/");
    await page.goto(`/c/${id}`);
    await page.getByText("This chat no longer exists, or it isn't yours.").waitFor();
  });

  it("archives with a way back", async () => {
    const page = await openChat();
    await storeChat(page, "Out of sight");
    await entry(page, "Out of sight").waitFor();
    await choose(page, "Out of sight", "Archive");
    await page.getByRole("button", { name: "Undo" }).click();
    await entry(page, "Out of sight").waitFor();
    await choose(page, "Out of sight", "Archive");
    await entry(page, "Out of sight").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Archived chats" }).click();
    // Pressed twice, it does not go back into the archive.
    await page.getByRole("dialog").getByRole("button", { name: "Unarchive" }).dblclick();
    await page.getByText("Chats that you archive appear here.").waitFor();
    await page.keyboard.press("Escape");
    await entry(page, "Out of sight").waitFor();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  it("loads older chats when its end comes near", async () => {
    const page = await openChat();
    const chats = Array.from({ length: 130 }, (_, index) => ({
      chat: { title: `Imported ${index}`, history: { currentId: null, messages: {} } },
      updated_at: 1_700_000_000 + index * 86_400,
    }));
    await call(page.context(), world.parley.url, "POST", "/api/v1/chats/import", { chats });
    await entry(page, "Imported 129").waitFor();
    await expect.poll(() => entry(page, "Imported 0").count()).toBe(0);
    await expect
      .poll(async () => {
        await rail(page).getByRole("button", { name: "Archived chats" }).scrollIntoViewIfNeeded();
        return entry(page, "Imported 0").count();
      })
      .toBe(1);
    await expect
      .poll(() =>
        rail(page)
          .getByRole("link", { name: /^Imported/ })
          .count(),
      )
      .toBe(130);
  });
});
