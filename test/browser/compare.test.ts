import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { answers, call, type ChatWorld, composer, openChatWorld, questions, send } from "./chat-world.ts";
import { findViolations } from "./find-violations.ts";

let world: ChatWorld;
beforeAll(async () => {
  world = await openChatWorld();
});
afterAll(() => world?.close());

const pages: Page[] = [];
async function openChat(options?: Parameters<ChatWorld["openChat"]>[0]): Promise<Page> {
  const page = await world.openChat(options);
  pages.push(page);
  return page;
}
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});

const column = (page: Page, model: string) => page.locator(`[data-column="${model}"]`);
const ended = (page: Page, model: string, state = "done") =>
  column(page, model).locator(`article.answer[data-state="${state}"]`);

/** Chooses the models to compare, in this order. */
async function compare(page: Page, ...models: string[]): Promise<void> {
  await page.getByRole("button", { name: /^Models?:/ }).click();
  await page.getByRole("option").first().waitFor();
  const begin = page.getByRole("button", { name: "Compare several models" });
  if ((await begin.count()) > 0) await begin.click();
  const ticked = page.getByRole("option", { selected: true });
  while ((await ticked.count()) > 0) await ticked.first().click();
  for (const model of models) await page.getByRole("option").filter({ hasText: model }).click();
  await page.getByRole("button", { name: `Compare ${models.length} models` }).click();
  const [first, ...others] = models;
  await page.getByRole("button", { name: `Models: ${first} + ${others.length} (${others.join(", ")})` }).waitFor();
}

/** What the upstream was asked for answers that people see: titles come whole. */
const asked = () => world.upstream.requests.filter(({ body }) => body?.["stream"] === true).map(({ body }) => body!);

describe("several models", () => {
  it("answer one question beside each other", async () => {
    const page = await openChat();
    await compare(page, "openai", "deepseek");
    await send(page, "What is the capital of France?");
    const [one, other] = [await placeOf(page, "openai"), await placeOf(page, "deepseek")];
    expect(Math.abs(one.y - other.y)).toBeLessThan(2);
    expect(other.x).toBeGreaterThan(one.x + one.width);
    await goOnWithSecond(page);
  });

  it("answer one question in one place on a phone", async () => {
    const page = await openChat({ size: "phone" });
    await compare(page, "openai", "deepseek");
    await send(page, "What is the capital of France?");
    await ended(page, "openai").waitFor();
    await expect.poll(() => column(page, "deepseek").isVisible()).toBe(false);
    await page.getByRole("group", { name: "Show the answer of" }).getByRole("button", { name: "deepseek" }).click();
    await ended(page, "deepseek").waitFor();
    await expect.poll(() => column(page, "openai").isVisible()).toBe(false);
    await goOnWithSecond(page);
  });
});

/** Both have answered, and the second is in view: the conversation goes on with it, also after the page is loaded again. */
async function goOnWithSecond(page: Page): Promise<void> {
  await expect.poll(() => questions(page).count()).toBe(1);
  await expect.poll(() => column(page, "openai").getAttribute("data-chosen")).toBe("true");
  await page.waitForURL(/\/c\//);
  // Nothing is wider than the page.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);

  const slow = await holdBranch(page);
  await column(page, "deepseek").getByRole("button", { name: "Continue with this answer" }).click();
  await column(page, "deepseek").getByText("The conversation continues from here").waitFor();
  await page.getByRole("button", { name: "Model: deepseek" }).waitFor();
  const before = asked().length;
  await send(page, "And of Spain?");
  await questions(page).getByText("And of Spain?").waitFor();
  // The chat is loaded again before the question could be sent, which stays.
  const path = new URL(page.url()).pathname.replace("/c/", "/api/v1/chats/");
  const loaded = page.waitForResponse((response) => new URL(response.url()).pathname === path);
  await call(page.context(), world.parley.url, "POST", path, { chat: { title: "Capitals" } });
  await (await loaded).finished();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await questions(page).getByText("And of Spain?").count()).toBe(1);
  await slow.letGo();
  await answers(page).nth(2).and(page.locator('[data-state="done"]')).waitFor();
  expect(asked()).toHaveLength(before + 1);
  expect(asked().at(-1)).toMatchObject({ model: "deepseek" });
  expect(asked().at(-1)!["messages"]).toHaveLength(3);

  await page.reload();
  await ended(page, "deepseek").waitFor();
  await expect.poll(() => column(page, "deepseek").getAttribute("data-chosen")).toBe("true");
  await expect.poll(() => answers(page).count()).toBe(3);
}

/** Keeps back what tells the service which branch is shown: the next question must not be stored before it. */
async function holdBranch(page: Page): Promise<{ letGo(): Promise<void> }> {
  const gate = Promise.withResolvers<void>();
  const address = /\/api\/v1\/chats\/[^/?]+$/;
  await page.route(address, async (route) => {
    if (route.request().method() === "POST") await gate.promise;
    await route.continue();
  });
  return {
    async letGo() {
      const stored = page.waitForResponse(
        (response) => address.test(response.url()) && response.request().method() === "POST",
      );
      gate.resolve();
      await stored;
      await page.unroute(address);
    },
  };
}

async function placeOf(page: Page, model: string) {
  await ended(page, model).waitFor();
  return (await column(page, model).boundingBox())!;
}

describe("answers side by side", () => {
  it("fail, stop and are repeated each for itself", async () => {
    const page = await openChat();
    await compare(page, "fault-429", "mistral");
    await send(page, "Hello");
    await ended(page, "fault-429", "error").getByText("The answer failed.").waitFor();
    await ended(page, "mistral").waitFor();
    await column(page, "mistral").getByRole("button", { name: "Answer again" }).click();
    await column(page, "mistral").getByRole("group", { name: "Version 2 of 2" }).waitFor();
    await ended(page, "mistral").waitFor();
    await expect
      .poll(() =>
        column(page, "fault-429")
          .getByRole("group", { name: /^Version/ })
          .count(),
      )
      .toBe(0);
    await column(page, "mistral").getByRole("button", { name: "Previous version" }).click();
    await column(page, "mistral").getByRole("group", { name: "Version 1 of 2" }).waitFor();

    await compare(page, "openai", "mistral");
    const hold = world.upstream.holdAfter(2);
    await send(page, "More");
    await hold.reached;
    // Whichever came first is held.
    const last = page.locator("section.comparison").last();
    await last.locator('article[data-state="done"]').waitFor();
    await page.getByRole("button", { name: "Stop the answer" }).waitFor();
    await last.getByRole("button", { name: "Stop this answer" }).click();
    await last.locator('article[data-state="stopped"]').waitFor();
    hold.release();
    await page.getByRole("button", { name: "Send" }).waitFor();
    await expect.poll(() => last.locator('article[data-state="done"]').count()).toBe(1);
  });

  it("are asked for with what was typed again, and are all in the document of the chat", async () => {
    const page = await openChat();
    await compare(page, "openai", "mistral");
    await send(page, "First");
    await ended(page, "openai").waitFor();
    await ended(page, "mistral").waitFor();
    await composer(page).press("ArrowUp");
    await page.getByRole("textbox", { name: "Edit your message" }).fill("Second");
    await page.getByRole("button", { name: "Send", exact: true }).first().click();
    await questions(page).getByText("Second").waitFor();
    await ended(page, "openai").waitFor();
    await ended(page, "mistral").waitFor();
    const id = new URL(page.url()).pathname.slice("/c/".length);
    const { chat } = (await call(page.context(), world.parley.url, "GET", `/api/v1/chats/${id}`)) as {
      chat: {
        models: string[];
        history: { messages: Record<string, { role: string; model?: string; models?: string[] }> };
      };
    };
    expect(chat.models).toEqual(["openai", "mistral"]);
    const stored = Object.values(chat.history.messages);
    expect(stored.filter(({ role }) => role === "user").map(({ models }) => models)).toEqual([
      ["openai", "mistral"],
      ["openai", "mistral"],
    ]);
    expect(stored.flatMap(({ model }) => model ?? []).sort()).toEqual(["mistral", "mistral", "openai", "openai"]);
  });

  it("have their reasoning folded, and say what they took", async () => {
    const page = await openChat();
    await compare(page, "deepseek", "openai");
    await send(page, "Why?");
    await ended(page, "deepseek").waitFor();
    await ended(page, "openai").waitFor();
    const thought = column(page, "deepseek").locator("details.reasoning");
    await expect.poll(() => thought.getAttribute("open")).toBeNull();
    await thought
      .locator("summary")
      .filter({ hasText: /^\s*(?:Reasoning|Thought for)/ })
      .click();
    await expect.poll(async () => (await thought.innerText()).length).toBeGreaterThan(30);
    await expect.poll(() => column(page, "openai").locator("details.reasoning").count()).toBe(0);

    const opener = column(page, "openai").getByRole("button", { name: "Tokens and time" });
    await opener.click();
    const info = page.getByRole("dialog", { name: "Tokens and time of this answer" });
    await info.getByText("Input tokens").waitFor();
    await expect
      .poll(async () => (await info.innerText()).replaceAll(/\s+/gu, " "))
      .toMatch(/Model openai Input tokens 19 Output tokens 19 Total tokens 38 Time /u);
    await page.keyboard.press("Escape");
    await info.waitFor({ state: "detached" });
    await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.reload();
    await column(page, "openai").getByRole("button", { name: "Tokens and time" }).click();
    await info.getByText("38").waitFor();
  });

  it.each([
    ["desktop", "light"],
    ["desktop", "dark"],
    ["phone", "light"],
    ["phone", "dark"],
  ] as const)("are accessible, as is what chooses them: %s, %s", async (size, theme) => {
    const page = await openChat({ size, theme });
    await page.getByRole("button", { name: /^Model:/ }).click();
    await page.getByRole("button", { name: "Compare several models" }).click();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await compare(page, "openai", "deepseek", "mistral");
    await send(page, "Hello");
    await ended(page, "openai").waitFor();
    await page.getByRole("button", { name: "Send" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
  });
});

describe("parameters of a chat", () => {
  const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
  const open = (page: Page) => page.getByRole("button", { name: /^Chat parameters/ }).click();

  it("count from the first message on, stay with the chat, and go back to what the model has", async () => {
    const page = await openChat();
    await open(page);
    await field(page, "Instructions").fill("Answer in rhymes");
    await field(page, "Temperature").fill("0,3");
    await page.getByRole("combobox", { name: "Reasoning effort" }).selectOption("low");
    await field(page, "Stop at").fill("END, ###");
    await send(page, "Hello");
    await answers(page).last().and(page.locator('[data-state="done"]')).waitFor();
    await page.waitForURL(/\/c\/[^?]+\?panel=parameters/);
    expect(asked().at(-1)).toMatchObject({
      temperature: 0.3,
      reasoning_effort: "low",
      stop: ["END", "###"],
      messages: [{ role: "system", content: "Answer in rhymes" }, { role: "user" }],
    });

    const stored = page.waitForResponse((response) => response.request().method() === "POST");
    await field(page, "Longest answer").fill("64");
    expect((await stored).ok()).toBe(true);
    await page.reload();
    await expect.poll(() => field(page, "Longest answer").inputValue()).toBe("64");
    await expect.poll(() => field(page, "Instructions").inputValue()).toBe("Answer in rhymes");
    await field(page, "Temperature").fill("3");
    await page.getByText("From 0 to 2.").waitFor();
    await send(page, "More");
    await answers(page).nth(1).and(page.locator('[data-state="done"]')).waitFor();
    expect(asked().at(-1)).toMatchObject({ temperature: 0.3, max_tokens: 64 });

    await page.getByRole("button", { name: "Reset to the model's defaults" }).click();
    await expect.poll(() => field(page, "Temperature").inputValue()).toBe("");
    await send(page, "And now?");
    await answers(page).nth(2).and(page.locator('[data-state="done"]')).waitFor();
    expect(asked().at(-1)).not.toHaveProperty("temperature");
    expect(asked().at(-1)).not.toHaveProperty("stop");
    await page.getByRole("link", { name: "New chat" }).first().click();
    await open(page);
    await expect.poll(() => field(page, "Instructions").inputValue()).toBe("");
  });

  it("reach another tab, and are accessible", async () => {
    const page = await openChat({ size: "phone", theme: "dark" });
    await send(page, "Hello");
    await page.waitForURL(/\/c\//);
    await answers(page).last().and(page.locator('[data-state="done"]')).waitFor();
    await open(page);
    const stored = page.waitForResponse((response) => response.request().method() === "POST");
    await field(page, "Seed").fill("7");
    await stored;
    expect(await findViolations(page)).toEqual([]);
    const other = await openChat({ context: page.context() });
    await other.goto(page.url());
    await expect.poll(() => field(other, "Seed").inputValue()).toBe("7");
    // Back closes what covers a phone.
    await page.goBack();
    await composer(page).waitFor();
    await expect.poll(() => page.getByRole("complementary", { name: "Parameters" }).count()).toBe(0);
  });
});

describe("people who may not", () => {
  it("neither compare nor change parameters are told nothing that they cannot do", async () => {
    const admin = await world.browser.openPage({ baseURL: world.parley.url });
    pages.push(admin);
    const credentials = { email: world.adminEmail, password: "correct horse" };
    await call(admin.context(), world.parley.url, "POST", "/api/v1/auths/signin", credentials);
    const set = (chat: object) =>
      call(admin.context(), world.parley.url, "POST", "/api/v1/users/default/permissions", { chat });
    await set({ multiple_models: false, params: false, system_prompt: true });
    const page = await openChat();
    await page.getByRole("button", { name: /^Model:/ }).click();
    await page.getByRole("option").first().waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Compare several models" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Chat parameters" }).click();
    await page.getByText("Your account isn't allowed to change parameters.").waitFor();
    await expect.poll(() => page.getByRole("textbox", { name: "Temperature" }).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole("textbox", { name: "Instructions" }).isDisabled()).toBe(false);
    await set({ multiple_models: true, params: true, system_prompt: true });
  });
});
