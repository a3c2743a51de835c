import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { answers, ask, call, type ChatWorld, composer, openChatWorld, questions, send } from "./chat-world.ts";
import { findViolations } from "./find-violations.ts";
import { takePicture } from "./take-picture.ts";

let world: ChatWorld;
beforeAll(async () => {
  world = await openChatWorld();
  world.upstream.models = [...world.upstream.models, "text-embedding-3-small"];
});
afterAll(() => world?.close());
const pages: Page[] = [];
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});

async function openChat(options?: Parameters<ChatWorld["openChat"]>[0]): Promise<Page> {
  const page = await world.openChat(options);
  pages.push(page);
  return page;
}
const api = (page: Page, method: string, path: string, data?: unknown) =>
  call(page.context(), world.parley.url, method, path, data);

const picker = (page: Page) => page.getByRole("button", { name: /^Models?:/ });
const options = (page: Page) => page.getByRole("option").locator(".name").allInnerTexts();
const done = (page: Page, at: number) => answers(page).nth(at).and(page.locator('[data-state="done"]')).waitFor();

describe("the model picker", () => {
  it("has pins first, then assistants, and no models for embeddings; new chats start with the default", async () => {
    const page = await openChat();
    await picker(page).click();
    await page.getByRole("option").first().waitFor();
    expect((await options(page)).join(" ")).not.toContain("embedding");
    await page.getByRole("button", { name: "Pins and default" }).click();
    await page.getByRole("button", { name: "Pin mistral", exact: true }).click();
    await page.getByRole("button", { name: "Pin deepseek", exact: true }).press("Enter");
    await page.getByRole("button", { name: "Start new chats with deepseek", exact: true }).click();
    await takePicture(page, "pins");
    expect(await findViolations(page)).toEqual([]);
    const stored = () => api(page, "GET", "/api/v1/users/user/settings");
    await expect.poll(stored).toMatchObject({ ui: { pinnedModels: ["mistral", "deepseek"], models: ["deepseek"] } });
    await page.getByRole("button", { name: "Done" }).click();
    expect((await options(page)).map((text) => text.trim()).slice(0, 2)).toEqual(["mistral", "deepseek"]);
    await takePicture(page, "picker");
    expect(await findViolations(page)).toEqual([]);
    // What was used last does not count any more.
    await page.getByRole("option").filter({ hasText: "openai" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Model: deepseek" }).waitFor();
    await picker(page).click();
    await page.getByRole("button", { name: "Pins and default" }).click();
    await page.getByRole("button", { name: "Pin deepseek", exact: true }).click();
    await expect.poll(stored).toMatchObject({ ui: { pinnedModels: ["mistral"], models: ["deepseek"] } });
  });
});

describe("assistants, and the default of an organization", () => {
  it("come before all other models; an administrator chooses the default in the picker for everyone", async () => {
    const admin = await world.browser.openPage({ baseURL: world.parley.url });
    pages.push(admin);
    await api(admin, "POST", "/api/v1/auths/signin", { email: world.adminEmail, password: "correct horse" });
    await api(admin, "POST", "/api/v1/models/create", {
      id: "zebra",
      name: "Zebra desk",
      base_model_id: "openai",
      meta: {},
      params: {},
      access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }],
    });
    const page = await openChat();
    for (const each of [page, admin]) {
      await each.goto("/");
      await picker(each).click();
      await each.getByRole("option").filter({ hasText: "Zebra desk" }).waitFor();
      expect((await options(each))[0]).toMatch(/^Zebra desk/);
    }

    await admin.getByRole("button", { name: "Pins and default" }).click();
    const forAll = (model: string) => `Start new chats of everyone in your organization with ${model}`;
    await admin.getByRole("button", { name: forAll("mistral"), exact: true }).click();
    await admin.getByRole("button", { name: forAll("mistral"), exact: true, pressed: true }).waitFor();
    // Nobody else has such a button.
    await page.getByRole("button", { name: "Pins and default" }).click();
    await page.getByRole("button", { name: "Start new chats with mistral", exact: true }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: forAll("mistral"), exact: true }).count()).toBe(0);
    await page.reload();
    await page.getByRole("button", { name: "Model: mistral" }).waitFor();
    // One's own default counts before that of the organization.
    await picker(page).click();
    await page.getByRole("button", { name: "Pins and default" }).click();
    await page.getByRole("button", { name: "Start new chats with deepseek", exact: true }).click();
    await expect
      .poll(() => api(page, "GET", "/api/v1/users/user/settings"))
      .toMatchObject({ ui: { models: ["deepseek"] } });
    await page.reload();
    await page.getByRole("button", { name: "Model: deepseek" }).waitFor();
    await admin.getByRole("button", { name: forAll("mistral"), exact: true }).click();
    await admin.getByRole("button", { name: forAll("mistral"), exact: true, pressed: false }).waitFor();
  });
});

describe("a model that is named with @", () => {
  it("answers that message only, by keyboard, and the chat's model stays", async () => {
    const page = await openChat();
    await picker(page).click();
    await page.getByRole("option").filter({ hasText: "openai" }).click();
    await composer(page).pressSequentially("@deep");
    await page.getByRole("listbox", { name: "Models for this message" }).waitFor();
    await expect.poll(() => composer(page).getAttribute("aria-activedescendant")).toBeTruthy();
    await takePicture(page, "at-list");
    await page.keyboard.press("Enter");
    await page.getByText("deepseek answers this message").waitFor();
    await expect.poll(() => composer(page).inputValue()).toBe("");
    expect(await findViolations(page)).toEqual([]);
    await send(page, "What is the capital of France?");
    await done(page, 0);
    await expect.poll(() => answers(page).first().getAttribute("aria-label")).toBe("deepseek");
    await questions(page).first().getByText("deepseek").waitFor();
    await page.waitForURL(/\/c\//);
    await takePicture(page, "at-answer");
    await page.getByRole("button", { name: "Model: openai" }).waitFor();
    const stored = (await api(page, "GET", `/api/v1/chats/${page.url().split("/c/")[1]}`)) as {
      chat: { models: string[] };
    };
    expect(stored.chat.models).toEqual(["openai"]);
    await page.reload();
    await page.getByRole("button", { name: "Model: openai" }).waitFor();
    await send(page, "And of Spain?");
    await done(page, 1);
    await expect.poll(() => answers(page).nth(1).getAttribute("aria-label")).toBe("openai");
    // An address is no model.
    await composer(page).fill("write to ada@deep");
    await expect.poll(() => page.getByRole("listbox", { name: "Models for this message" }).count()).toBe(0);
  });

  it("can be taken back", async () => {
    const page = await openChat({ size: "phone" });
    await composer(page).pressSequentially("Hello @mistral");
    await page.getByRole("option").filter({ hasText: "mistral" }).click();
    await page.getByRole("button", { name: "Don't ask mistral" }).click();
    await expect.poll(() => page.getByText("answers this message").count()).toBe(0);
    await expect.poll(() => composer(page).inputValue()).toBe("Hello ");
  });
});

describe("sources of an answer", () => {
  it("that it cites are shown, the others when one asks for them", async () => {
    const page = await openChat();
    const chat = await ask(page, "What is the capital of France?");
    const id = (await answers(page).last().getAttribute("data-message"))!;
    const event = (type: string, data: unknown) =>
      api(page, "POST", `/api/v1/chats/${chat}/messages/${id}/event`, { type, data });
    for (const number of [1, 2, 3])
      await event("source", {
        source: { name: `Book ${number}`, id: `book-${number}` },
        document: [`Page ${number}`],
        metadata: [{ source: `book-${number}`, number }],
      });
    const list = answers(page).last().getByRole("list", { name: "Sources" });
    await list.getByText("Book 3").waitFor();
    await event("message", { content: " See [2]." });
    const more = list.getByRole("button", { name: "2 more sources" });
    await more.waitFor();
    await expect.poll(() => list.getByRole("link").allInnerTexts()).toEqual([expect.stringContaining("Book 2")]);
    await takePicture(page, "sources");
    await more.press("Enter");
    await expect.poll(() => list.getByRole("link").count()).toBe(3);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain("Book 1");
  });
});

describe("the rating of an answer", () => {
  it("is given with its reason, changed and removed by keyboard, and administrators see the chat only if it is shared", async () => {
    const page = await openChat();
    await ask(page, "What is the capital of France?");
    const answer = answers(page).last();
    await answer.getByRole("button", { name: "Good answer" }).press("Enter");
    const panel = answer.getByRole("region", { name: "Your rating" });
    await panel.waitFor();
    await panel.getByRole("radio", { name: "8" }).check({ force: true });
    await panel.getByRole("radio", { name: "Accurate information" }).check({ force: true });
    await panel.getByRole("textbox", { name: "Comment" }).fill("Exactly");
    expect(await findViolations(page)).toEqual([]);
    await takePicture(page, "rating");
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.waitFor({ state: "detached" });
    await page.reload();
    const rated = answers(page)
      .last()
      .getByRole("button", { name: /^You rated this answer as good/ });
    await rated.waitFor();

    const admin = await world.browser.openPage({ baseURL: world.parley.url });
    pages.push(admin);
    await api(admin, "POST", "/api/v1/auths/signin", { email: world.adminEmail, password: "correct horse" });
    await admin.goto("/admin/ratings");
    await admin.getByText("Exactly").waitFor();
    await admin.getByText("8 of 10 · Accurate information").waitFor();
    await expect.poll(() => admin.getByRole("button", { name: /^Conversation of/ }).count()).toBe(0);
    expect(await findViolations(admin)).toEqual([]);
    await takePicture(admin, "ratings-page");

    await rated.click();
    await panel.getByRole("switch", { name: "Let administrators read this conversation" }).check();
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.waitFor({ state: "detached" });
    await admin.getByRole("button", { name: "Refresh" }).click();
    await admin.getByRole("button", { name: /^Conversation of/ }).click();
    const dialog = admin.getByRole("dialog");
    await dialog.getByText("What is the capital of France?").waitFor();
    await dialog.getByText("Paris is the capital of France").waitFor();
    await takePicture(admin, "conversation");

    await answers(page).last().getByRole("button", { name: "Bad answer" }).click();
    await panel.getByRole("radio", { name: "Not helpful" }).waitFor();
    await panel.getByRole("button", { name: "Remove rating" }).click();
    await panel.waitFor({ state: "detached" });
    expect(await api(page, "GET", "/api/v1/evaluations/feedbacks/user")).toMatchObject({ total: 0 });
  });
});
