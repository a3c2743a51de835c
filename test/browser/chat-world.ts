import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { inject } from "vitest";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { fillDataFolder } from "../stack/migrated-folder.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { type Account, callApi, signUpByApi } from "./accounts.ts";
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
  const service = await startService(startParley({ env: { DEFAULT_USER_ROLE: "user", ...env } }));
  const world = await openWorldOn(service);
  return {
    ...world,
    async close() {
      await world.close();
      await service.parley.stop();
    },
  };
}

/** For the files of a run that only deal with people of their own: settings and what is there for everyone stay as they are. */
let shared: Promise<Service> | undefined;

/**
 * The same on a service that all such files share; the upstream is the file's own. A file that changes settings, rights or models of
 * all people, counts people, or restarts the service, has a world of its own.
 */
export async function openSharedChatWorld(): Promise<ChatWorld> {
  shared ??= startService(startShared());
  const service = await shared;
  const world = await openWorldOn(service);
  return {
    ...world,
    async close() {
      await callApi(service.parley.url, service.token, "DELETE", `/api/v1/connections/${world.connection}`);
      await world.close();
    },
  };
}

/** Stopped when the run has ended. */
async function startShared(): Promise<Parley> {
  const dataDir = path.join(inject("sharedFolder"), "chat");
  const env = { DEFAULT_USER_ROLE: "user" };
  mkdirSync(dataDir);
  await fillDataFolder(dataDir, env);
  const parley = await startParley({ dataDir, env });
  writeFileSync(`${dataDir}.pid`, String(parley.processes()[0]!.pid));
  return parley;
}

interface Service {
  parley: Parley;
  adminEmail: string;
  /** Of the administrator. */
  token: string;
}

async function startService(starting: Promise<Parley>): Promise<Service> {
  const parley = await starting;
  const account = newPerson();
  const { token } = await signUpByApi(parley.url, account);
  return { parley, adminEmail: account.email, token };
}

async function openWorldOn({ parley, adminEmail, token }: Service): Promise<ChatWorld & { connection: string }> {
  const [upstream, browser] = await Promise.all([
    startReplayServer({ fixtures: ["openai", "deepseek", "mistral"] }),
    openBrowser(),
  ]);
  upstream.models = ["openai", "deepseek", "mistral", "fault-429", "fault-cut"];
  const { id } = await callApi<{ id: string }>(parley.url, token, "POST", "/api/v1/connections", {
    kind: "openai",
    name: "Replay",
    base_url: upstream.url,
  });
  return {
    parley,
    upstream,
    browser,
    adminEmail,
    connection: id,
    async openChat(options = {}) {
      const page = await browser.openPage({ baseURL: parley.url, ...options });
      if (!options.context) await signUp(page.context(), parley.url);
      await page.goto("/");
      await composer(page).waitFor();
      return page;
    },
    async close() {
      await browser.close();
      await upstream.close();
    },
  };
}

function newPerson(): Account {
  people += 1;
  return { name: `Person ${people}`, email: `person${people}@example.com`, password: "correct horse" };
}

/** Makes an account and signs this context in with it. Returns the e-mail; the password is `correct horse`. */
export async function signUp(context: BrowserContext, url: string): Promise<string> {
  const person = newPerson();
  await call(context, url, "POST", "/api/v1/auths/signup", person);
  return person.email;
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
