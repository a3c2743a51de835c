import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signInContext } from "./accounts.ts";
import { composer, send } from "./chat-world.ts";
import { findViolations } from "./find-violations.ts";
import { type HarbourWorld, openHarbourWorld } from "./harbour-world.ts";
import type { PageOptions } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";

let world: HarbourWorld;
let people = 0;
beforeAll(async () => {
  world = await openHarbourWorld({
    mate: ({ messages, tools }) => {
      const last = messages.at(-1)!;
      if (last.role === "tool") return { content: "Noted." };
      if (tools?.some((tool) => tool.function.name === "add_memory") && messages.some(({ role }) => role === "user"))
        return { calls: [{ name: "add_memory", arguments: { content: "Sails on Sundays" } }] };
      const system = messages.find(({ role }) => role === "system")?.content ?? "";
      return { content: system.includes("The dog is called Rex") ? "Your dog is Rex." : "I do not know." };
    },
  });
});
afterAll(() => world?.close());

/** A page of somebody new, who may use all models. */
async function open(path: string, options: PageOptions = {}): Promise<Page> {
  people += 1;
  const account = { name: `Mate ${people}`, email: `mate${people}@harbour.example`, password: "a long password" };
  await world.api("POST", "/api/v1/auths/add", { ...account, role: "user" });
  const page = await world.browser.openPage({ baseURL: world.parley.url, ...options });
  await signInContext(page, world.parley.url, account);
  await page.goto(path);
  return page;
}
const texts = (page: Page) => page.locator("li .text").allInnerTexts();
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

test("memories are added, found, changed in place, deleted and brought back by keyboard", async () => {
  const page = await open("/settings/memories");
  await page.getByText("Nothing is remembered yet.").waitFor();
  await expect.poll(() => button(page, "Delete all").count()).toBe(0);
  await button(page, "Add").click();
  await page.getByText("Write what should be remembered.").waitFor();
  const field = page.getByLabel("New memory");
  for (const text of ["The dog is called Rex", "Lives in Kiel"]) {
    await field.fill(text);
    await field.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("li .text").getByText(text).waitFor();
  }
  await expect.poll(() => texts(page)).toEqual(["Lives in Kiel", "The dog is called Rex"]);
  await page.getByText("2 memories").waitFor();
  expect(await findViolations(page)).toEqual([]);

  await page.getByRole("searchbox", { name: "Search memories" }).fill("dog");
  await page.getByText("1 memory").waitFor();
  await expect.poll(() => texts(page)).toEqual(["The dog is called Rex"]);
  await page.getByRole("searchbox", { name: "Search memories" }).fill("cat");
  await page.getByText("No memory contains “cat”.").waitFor();
  await page.getByRole("searchbox", { name: "Search memories" }).fill("");
  await page.getByText("2 memories").waitFor();

  await button(page, /Edit the memory Lives in Kiel/).press("Enter");
  const editor = page.getByLabel("Memory", { exact: true });
  await editor.fill("Lives in Lübeck");
  await editor.press("Escape");
  await button(page, /Edit the memory Lives in Kiel/).press("Enter");
  await editor.fill("Lives in Lübeck");
  await button(page, "Save").press("Enter");
  await page.locator("li .text").getByText("Lives in Lübeck").waitFor();

  await button(page, /Edit the memory Lives in Lübeck/).press("Enter");
  await page.locator("li").getByLabel("Topic (optional)").fill("home");
  await page.locator("li").getByRole("switch", { name: "Always give it to models" }).press("Space");
  await button(page, "Save").press("Enter");
  await page.locator("li").getByText("Always given").waitFor();
  await page.locator("li .topic").getByText("home").waitFor();
  await page.reload();
  await page.locator("li", { hasText: "Lives in Lübeck" }).getByText("Always given").waitFor();

  await button(page, /Delete the memory Lives in Lübeck/).press("Enter");
  await page.getByText("1 memory").waitFor();
  await button(page, "Undo").press("Enter");
  await page.getByText("2 memories").waitFor();

  await button(page, "Delete all").press("Enter");
  await page
    .getByRole("dialog", { name: "Delete all 2 memories?" })
    .getByRole("button", { name: "Delete all" })
    .click();
  await page.getByText("Nothing is remembered yet.").waitFor();
  await page.reload();
  await page.getByText("Nothing is remembered yet.").waitFor();
});

test("a model knows what is remembered, until the person switches that off", async () => {
  const page = await open("/settings/memories");
  await page.getByLabel("New memory").fill("The dog is called Rex");
  await button(page, "Add").click();
  await page.locator("li .text").waitFor();
  await pressLink(page, "/");
  await composer(page).waitFor();
  await send(page, "What is my dog called?");
  await page.getByText("Your dog is Rex.", { exact: true }).waitFor();

  await pressLink(page, "/settings/memories");
  const stored = page.waitForResponse((response) => response.url().endsWith("/user/settings/update"));
  await page.getByRole("switch", { name: "Use memories in chats" }).click();
  expect((await stored).ok()).toBe(true);
  await expect.poll(() => page.getByRole("switch", { name: "Models may add memories" }).isDisabled()).toBe(true);
  await pressLink(page, "/");
  await composer(page).waitFor();
  await send(page, "What is my dog called?");
  await page.getByText("I do not know.", { exact: true }).waitFor();
});

test("what a model adds is shown in the answer, stands in the list with its chat, and goes with one click", async () => {
  const page = await open("/settings/memories", { size: "phone", theme: "dark" });
  const stored = page.waitForResponse((response) => response.url().endsWith("/user/settings/update"));
  await page.getByRole("switch", { name: "Models may add memories" }).click();
  await stored;
  await pressLink(page, "/");
  await composer(page).waitFor();
  await send(page, "I sail on Sundays");
  await page.getByText("Noted.", { exact: true }).waitFor();
  const step = page.locator("[data-memory]");
  await step.getByText("Sails on Sundays", { exact: true }).waitFor();
  await page.waitForURL(/\/c\//);
  const chat = page.url();
  expect(await findViolations(page)).toEqual([]);

  await pressLink(page, "/settings/memories");
  await page.getByText("A model", { exact: true }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("link", { name: "Open the chat" }).click();
  await page.waitForURL(chat);
  await step.getByRole("button", { name: /^Undo/ }).click();
  await step.getByText("Not remembered:").waitFor();
  // Again, where it is gone already.
  await page.reload();
  await step.getByRole("button", { name: /^Undo/ }).click();
  await step.getByText("Not remembered:").waitFor();
  await pressLink(page, "/settings/memories");
  await page.getByText("Nothing is remembered yet.").waitFor();
});

test("the page says why there is nothing where memories are not allowed, and what went wrong", async () => {
  const page = await open("/settings/memories");
  await page.getByText("Nothing is remembered yet.").waitFor();
  await page.route("**/api/v1/memories/", (route) => route.fulfill({ status: 500, json: { detail: "Broken" } }));
  await page.reload();
  await page.getByText("Your memories couldn't be loaded").waitFor();
  await page.unroute("**/api/v1/memories/");
  await button(page, "Try again").click();
  await page.getByText("Nothing is remembered yet.").waitFor();

  const organization = await world.api<{ id: string }>("POST", "/api/v1/organizations", { name: "Quiet" });
  await world.api("PATCH", `/api/v1/organizations/${organization.id}`, { features: { memories: false } });
  const { id } = (await (await page.context().request.get(`${world.parley.url}/api/v1/auths/`)).json()) as {
    id: string;
  };
  await world.api("POST", `/api/v1/organizations/${organization.id}/members`, { user_ids: [id] });
  await page.reload();
  await page.getByText("Your account isn't allowed to use memories.").waitFor();

  await world.api("POST", "/api/v1/auths/admin/config", { ENABLE_MEMORIES: false });
  await page.reload();
  await page.getByText("Memories are switched off.").waitFor();
  await expect.poll(() => page.getByLabel("New memory").count()).toBe(0);
  await world.api("POST", "/api/v1/auths/admin/config", { ENABLE_MEMORIES: true });
});
