import type { BrowserContext, Page } from "playwright-core";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";

/** What all recordings say. */
export const answerText = "Paris is the capital of France";

export interface ChatWorld {
  parley: Parley;
  upstream: ReplayServer;
  browser: TestBrowser;
  /** Of the administrator who has connected the upstream. */
  adminEmail: string;
  /** A page of a person of their own, signed up and with the upstream's models, on the empty chat. */
  openChat(options?: PageOptions): Promise<Page>;
  close(): Promise<void>;
}

let people = 0;

/** The real service with an upstream that replays recordings, connected by an administrator. */
export async function openChatWorld(env: Record<string, string> = {}): Promise<ChatWorld> {
  const [parley, upstream, browser] = await Promise.all([
    startParley({ env: { DEFAULT_USER_ROLE: "user", ...env } }),
    startReplayServer({ fixtures: ["openai", "deepseek", "mistral"] }),
    openBrowser(),
  ]);
  upstream.models = ["openai", "deepseek", "mistral", "fault-429", "fault-cut"];
  const admin = await browser.openPage({ baseURL: parley.url });
  const adminEmail = await signUp(admin.context(), parley.url);
  await call(admin.context(), parley.url, "POST", "/api/v1/connections", {
    kind: "openai",
    name: "Replay",
    base_url: upstream.url,
  });
  await admin.context().close();
  return {
    parley,
    upstream,
    browser,
    adminEmail,
    async openChat(options = {}) {
      const page = await browser.openPage({ baseURL: parley.url, ...options });
      if (!options.context) await signUp(page.context(), parley.url);
      await page.goto("/");
      await composer(page).waitFor();
      return page;
    },
    async close() {
      await browser.close();
      await Promise.all([parley.stop(), upstream.close()]);
    },
  };
}

/** Makes an account and signs this context in with it. Returns the e-mail; the password is `correct horse`. */
export async function signUp(context: BrowserContext, url: string): Promise<string> {
  people += 1;
  const email = `person${people}@example.com`;
  await call(context, url, "POST", "/api/v1/auths/signup", {
    name: `Person ${people}`,
    email,
    password: "correct horse",
  });
  return email;
}

/** A call of the API with the cookie of this context, as the UI makes it. */
export async function call(
  context: BrowserContext,
  url: string,
  method: string,
  path: string,
  data?: unknown,
): Promise<unknown> {
  const response = await context.request.fetch(url + path, {
    method,
    headers: { origin: url },
    ...(data === undefined ? {} : { data }),
  });
  if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
  return response.json();
}

export const composer = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });
export const answers = (page: Page) => page.locator("article.answer");
export const questions = (page: Page) => page.locator("article.question");

/** Types a message and sends it; Enter alone breaks the line on a phone. */
export async function send(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press("Control+Enter");
}

/** Chooses a model by typing its name in the picker. */
export async function chooseModel(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: /^Model:/ }).click();
  await page.getByRole("combobox", { name: "Search models" }).fill(name);
  // The list may still be on its way.
  await page.getByRole("option").filter({ hasText: name }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: `Model: ${name}` }).waitFor();
}

/** Sends a message, waits for the whole answer, and for the address of the chat. Returns the id of the chat. */
export async function ask(page: Page, text: string): Promise<string> {
  const before = await answers(page).count();
  await send(page, text);
  await answers(page).nth(before).and(page.locator('[data-state="done"]')).waitFor();
  await page.waitForURL(/\/c\//);
  return new URL(page.url()).pathname.slice("/c/".length);
}
