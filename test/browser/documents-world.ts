import type { BrowserContext, Page } from "playwright-core";
import { type ScriptedUpstream, startScriptedUpstream } from "../fixtures/upstreams/scripted-upstream.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { call, composer, signUp } from "./chat-world.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";

export interface DocumentsWorld {
  parley: Parley;
  upstream: ScriptedUpstream;
  browser: TestBrowser;
  /** A page of a person of their own on the empty chat. What the browser complains about goes to `complaints`. */
  openChat(options?: PageOptions): Promise<Page>;
  /** Violations of the content policy and errors of scripts, on all pages. */
  complaints: string[];
  /** A call of the API as whoever is signed in there. */
  api<T>(context: BrowserContext, method: string, path: string, data?: unknown): Promise<T>;
  /** Uploads a file over the API and waits until it is read. Returns its id. */
  upload(context: BrowserContext, name: string, type: string, bytes: Buffer): Promise<string>;
  close(): Promise<void>;
}

/** The number of the passage in the prompt that holds a text, as the model is told to cite it. */
function numberOf(prompt: string, text: string): string | undefined {
  return prompt
    .split(/<source /)
    .slice(1)
    .find((source) => source.includes(text))
    ?.match(/id=\\?"(\d+)/)?.[1];
}

/** The service with a model `reader` that answers when the last ferry leaves, if it was given a passage that says so, and cites it. */
export async function openDocumentsWorld(): Promise<DocumentsWorld> {
  const [parley, browser, upstream] = await Promise.all([
    startParley({ env: { DEFAULT_USER_ROLE: "user" } }),
    openBrowser(),
    startScriptedUpstream({
      reader: ({ messages }) => {
        const number = numberOf(JSON.stringify(messages), "21:40");
        if (number === undefined) return { content: "I found nothing about that. [1]" };
        return {
          content: `The last ferry leaves at **21:40**.[${number}] Not so in code: \`a[${number}]\`, nor [99].`,
        };
      },
    }),
  ]);
  const complaints: string[] = [];
  const watch = (page: Page): Page => {
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (/content security policy/i.test(message.text())) complaints.push(message.text());
    });
    return page;
  };
  const api = <T>(context: BrowserContext, method: string, path: string, data?: unknown): Promise<T> =>
    call(context, parley.url, method, path, data) as Promise<T>;
  const admin = await browser.openPage({ baseURL: parley.url });
  await signUp(admin.context(), parley.url);
  await api(admin.context(), "POST", "/api/v1/connections", { kind: "openai", name: "Reader", base_url: upstream.url });
  // Everyone may make bases here.
  const permissions = "/api/v1/users/default/permissions";
  const tree = await api<{ workspace: object }>(admin.context(), "GET", permissions);
  await api(admin.context(), "POST", permissions, { ...tree, workspace: { ...tree.workspace, knowledge: true } });
  await admin.context().close();
  return {
    parley,
    upstream,
    browser,
    complaints,
    api,
    async openChat(options = {}) {
      const page = watch(await browser.openPage({ baseURL: parley.url, ...options }));
      if (!options.context) await signUp(page.context(), parley.url);
      await page.goto("/");
      await composer(page).waitFor();
      return page;
    },
    async upload(context, name, mimeType, buffer) {
      const answer = await context.request.post(`${parley.url}/api/v1/files/?process_in_background=false`, {
        headers: { origin: parley.url },
        multipart: { file: { name, mimeType, buffer } },
      });
      if (!answer.ok()) throw new Error(`upload: ${answer.status()} ${await answer.text()}`);
      return ((await answer.json()) as { id: string }).id;
    },
    async close() {
      await browser.close();
      await Promise.all([parley.stop(), upstream.close()]);
    },
  };
}

/** Everything attached, as its cards say it. */
export const attached = (page: Page) => page.locator("[data-attachment]");

export interface TestFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Attaches files, given or by their paths, by the button, as a person does. */
export async function attach(page: Page, ...files: TestFile[] | [path: string]): Promise<void> {
  await page.getByRole("button", { name: "Attach files or knowledge" }).click();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("menuitem", { name: "Upload files" }).click();
  await (await chooser).setFiles(files as TestFile[]);
}
