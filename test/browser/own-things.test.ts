import { readFileSync } from "node:fs";
import { unzipSync, zipSync } from "fflate";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startProvider, talking, type Provider } from "../models/provider.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, newAccount, signInContext, signUpByApi, type Account } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";
import { takePicture } from "./take-picture.ts";

/** A person of each test, with things of their own only. */
let bo: Account;
let parley: Parley;
let browser: TestBrowser;
let service: Provider;
let own: Provider;
let adminToken: string;
let token: string;

beforeAll(async () => {
  [service, own] = [await startProvider(talking("tide")), await startProvider(talking("reef", "ebb"))];
  parley = await startParley({
    env: {
      OUTBOUND_ALLOWED_PRIVATE_HOSTS: new URL(own.origin).host,
      OPENAI_API_BASE_URLS: `${service.origin}/v1`,
      DEFAULT_USER_ROLE: "user",
    },
  });
  browser = await openBrowser();
  ({ token: adminToken } = await signUpByApi(parley.url, ada));
  await asAdmin("POST", "/api/v1/auths/admin/config", { ENABLE_SIGNUP: true });
  await asAdmin("POST", "/api/v1/users/default/permissions", {
    workspace: { models: true, prompts: true, knowledge: true },
    sharing: { models: true, prompts: true },
  });
});
beforeEach(async () => {
  bo = newAccount("Bo Fischer");
  ({ token } = await signUpByApi(parley.url, bo));
});
afterAll(async () => {
  await browser?.close();
  await parley?.stop();
  await Promise.all([service?.close(), own?.close()]);
});

const asAdmin = <T>(method: string, path: string, body?: object) =>
  callApi<T>(parley.url, adminToken, method, path, body);
const asBo = <T>(method: string, path: string, body?: object) => callApi<T>(parley.url, token, method, path, body);
const switchOn = (on: boolean) => asAdmin("POST", "/api/v1/auths/admin/config", { ENABLE_DIRECT_CONNECTIONS: on });

async function open(path: string, options: PageOptions = {}, as = bo): Promise<Page> {
  const page = await browser.openPage({ baseURL: parley.url, ...options });
  await signInContext(page, parley.url, as);
  await page.goto(path);
  return page;
}

/** The page is in order in both themes and no wider than the window. With PARLEY_SCREENSHOTS, pictures are kept. */
async function look(page: Page, name: string): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await findViolations(page), `${name}, ${theme}`).toEqual([]);
    await takePicture(page, `${name}-${page.viewportSize()!.width}-${theme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name).toBe(true);
}

/** Downloads what the click saves. */
async function saved(page: Page, click: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

test("a person connects a provider of their own, uses its model, and loses it with the switch", async () => {
  await switchOn(false);
  const closed = await open("/settings/connections");
  await closed.getByText("Connections of your own are switched off").waitFor();
  await expect.poll(() => closed.getByRole("link", { name: "Connections", exact: true }).count()).toBe(0);
  await closed.context().close();
  await switchOn(true);

  const page = await open("/settings");
  await page.getByRole("link", { name: "Connections", exact: true }).click();
  await page.getByRole("link", { name: "Add a connection" }).first().click();
  await page.getByLabel("Address", { exact: true }).fill("http://10.0.0.1/v1");
  await page.getByRole("button", { name: "Test the connection" }).click();
  await page.getByText("10.0.0.1 is not a public address").waitFor();
  await page.getByLabel("Address", { exact: true }).fill(own.origin);
  await page.getByLabel("Key", { exact: true }).fill("sk-of-bo");
  await page.getByRole("button", { name: "Test the connection" }).click();
  await page.getByText("It works: 2 models").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("My reef");
  await page.getByText("Only selected models").click();
  await page.getByRole("checkbox", { name: "reef" }).check();
  await page.getByLabel("Prefix", { exact: true }).fill("mine");
  await page.getByText("direct.mine.model-name").waitFor();
  await look(page, "connection-new");
  await page.getByRole("button", { name: "Save connection" }).click();
  await page.getByRole("link", { name: "My reef" }).waitFor();
  await page.getByText("2 models ·").locator("visible=true").waitFor();
  await look(page, "connections");
  expect(own.headers.at(-1)).toMatchObject({ authorization: "Bearer sk-of-bo" });

  await pressLink(page, "/");
  await page.getByRole("button", { name: /^Model:/ }).click();
  const option = page.getByRole("option", { name: /reef/ });
  await option.getByText("Yours").waitFor();
  await expect.poll(() => page.getByRole("option").count()).toBe(2);
  await look(page, "picker");
  await option.click();
  await page.getByRole("textbox", { name: /message/i }).fill("Ahoy");
  await page.keyboard.press("Enter");
  await page.getByText("High water").first().waitFor();
  expect(JSON.parse(own.bodies.at(-1)!)).toMatchObject({ model: "reef" });

  // Nobody else has it.
  const other = await open("/", {}, ada);
  await other.getByRole("button", { name: /^Model:/ }).click();
  await other.getByRole("option", { name: /tide/ }).waitFor();
  await expect.poll(() => other.getByRole("option", { name: /reef/ }).count()).toBe(0);
  await other.goto("/settings/connections");
  await other.getByText("Connect a provider with a key of your own").waitFor();
  await other.context().close();

  await switchOn(false);
  await pressLink(page, "/settings/connections");
  await page.getByText("You may not use connections of your own now").waitFor();
  await expect.poll(() => page.getByRole("switch", { name: "Use My reef" }).isDisabled()).toBe(true);
  await look(page, "connections-closed");
  await page.getByRole("button", { name: "Actions for My reef" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete connection and key" }).click();
  await page.getByText("Connections of your own are switched off").waitFor();
  await page.context().close();
});

test("a connection of one's own is changed on a phone, and its key is replaced, never shown", async () => {
  await switchOn(true);
  await asBo("POST", "/api/v1/users/user/connections", { base_url: own.origin, key: "sk-secret", name: "Pocket reef" });
  const page = await open("/settings/connections", { size: "phone" });
  await page.getByRole("link", { name: "Pocket reef" }).waitFor();
  await look(page, "connections");
  await page.getByRole("link", { name: "Pocket reef" }).click();
  await expect.poll(() => page.getByLabel("Key", { exact: true }).inputValue()).toBe("");
  expect(await page.content()).not.toContain("sk-secret");
  await page.getByLabel("Name", { exact: true }).fill("Deep reef");
  await page.getByLabel("Key", { exact: true }).fill("sk-second");
  await look(page, "connection-edit");
  await page.getByRole("button", { name: /^Save/ }).first().click();
  await page.getByRole("heading", { name: "Deep reef" }).waitFor();
  await asBo("GET", "/api/models?refresh=true");
  expect(own.headers.at(-1)).toMatchObject({ authorization: "Bearer sk-second" });
  await page.context().close();
});

test("a person with the permission makes, shares, exports and imports models without the administration", async () => {
  const page = await open("/");
  await page.getByRole("link", { name: "Models", exact: true }).click();
  await page.getByText("No models yet.").waitFor();
  await look(page, "models-empty");
  await page.getByRole("link", { name: "New model" }).first().click();
  const base = page.getByLabel("Base model");
  // Only what the service offers the person: neither their own connections nor other custom models.
  await expect.poll(() => base.locator("option").allInnerTexts()).toEqual(["tide"]);
  await base.selectOption("tide");
  await page.getByLabel("Name", { exact: true }).fill("Harbour desk");
  await page.getByLabel("Instructions").fill("Be brief.");
  await page.getByLabel("Suggested questions").fill("When does the ferry leave?\nWhat does a berth cost?");
  await expect.poll(() => page.getByLabel("Only you").isChecked()).toBe(true);
  await expect.poll(() => page.getByLabel("Everyone who is signed in").count()).toBe(0);
  await look(page, "model-new");
  await page.getByRole("button", { name: "Create model" }).click();
  await page.getByRole("link", { name: "Harbour desk" }).waitFor();
  await page.getByText("Only you").waitFor();
  await look(page, "models");

  const file = await saved(page, async () => {
    await page.getByRole("button", { name: "Actions for Harbour desk" }).click();
    await page.getByRole("menuitem", { name: "Export" }).click();
  });
  expect(file.name).toBe("model-harbour-desk.json");
  const [model] = JSON.parse(file.text) as Record<string, unknown>[];
  expect(model).toMatchObject({ id: "harbour-desk", params: { system: "Be brief." } });

  await page.getByRole("link", { name: "Harbour desk" }).click();
  await page.getByRole("heading", { name: "Knowledge" }).waitFor();
  await expect
    .poll(() => page.getByLabel("Suggested questions").inputValue())
    .toBe("When does the ferry leave?\nWhat does a berth cost?");
  await look(page, "model-edit");
  await page.getByRole("button", { name: "Delete model and instructions" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete model and instructions" }).click();
  await page.getByText("No models yet.").waitFor();

  const choose = (name: string, text: string) =>
    page
      .getByLabel("Import models", { exact: true })
      .setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
  await choose("broken.json", "{");
  await page.getByText("This file isn't JSON").waitFor();
  await choose("other.json", '[{"command": "x"}]');
  await page.getByText("There are no models in this file").waitFor();
  await choose("foreign.json", JSON.stringify([model, { ...model, id: "second", base_model_id: "nowhere" }]));
  const dialog = page.getByRole("dialog", { name: "Import 2 models?" });
  await dialog.getByRole("button", { name: "Import" }).click();
  await dialog.getByText(/second: .*nowhere/).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await asBo("GET", "/api/v1/models/list")).toMatchObject({ total: 0 });
  await choose("model.json", file.text);
  await page.getByRole("dialog").getByText("Harbour desk").waitFor();
  await look(page, "models-import");
  await page.getByRole("dialog").getByRole("button", { name: "Import" }).click();
  await page.getByRole("link", { name: "Harbour desk" }).waitFor();

  await pressLink(page, "/");
  await page.getByRole("button", { name: /^Model:/ }).click();
  await page.getByRole("option", { name: /Harbour desk/ }).click();
  await page.getByRole("button", { name: "What does a berth cost?" }).click();
  await expect.poll(() => page.getByRole("textbox", { name: /message/i }).inputValue()).toBe("What does a berth cost?");
  await look(page, "suggestions");
  await page.context().close();

  const phone = await open("/models", { size: "phone" });
  await phone.getByRole("link", { name: "Harbour desk" }).waitFor();
  await look(phone, "models");
  await phone.goto("/models/edit?id=harbour-desk");
  await phone.getByRole("heading", { name: "Knowledge" }).waitFor();
  await look(phone, "model-edit");
  await phone.context().close();
});

test("one's own files are found, ordered, looked up and deleted with a warning", async () => {
  const upload = async (name: string, text: string) => {
    const form = new FormData();
    form.append("file", new File([text], name));
    const response = await fetch(`${parley.url}/api/v1/files/?process=false`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    return ((await response.json()) as { id: string }).id;
  };
  for (let at = 0; at < 55; at++) await upload(`log ${at}.txt`, "x".repeat(at + 1));
  const id = await upload("tides.txt", "High at eight");
  const message = {
    id: "m",
    parentId: null,
    childrenIds: [],
    role: "user",
    content: "See",
    files: [{ type: "file", id }],
  };
  await asBo("POST", "/api/v1/chats/new", {
    chat: { title: "Ferry talk", models: ["tide"], history: { messages: { m: message }, currentId: "m" } },
  });

  const page = await open("/settings/storage");
  await page.getByRole("link", { name: "All files" }).click();
  await page.getByText("50 of 56").waitFor();
  await look(page, "files");
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByText("56 of 56").waitFor();
  await page.getByLabel("Order").selectOption("largest");
  await expect.poll(() => page.locator("tbody tr").first().innerText()).toContain("log 54.txt");
  await page.getByRole("searchbox", { name: "Find a file" }).fill("tides");
  await page.getByRole("link", { name: "tides.txt" }).waitFor();
  await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
  const file = await saved(page, async () => {
    await page.getByRole("button", { name: "Actions for tides.txt" }).click();
    await page.getByRole("menuitem", { name: "Download" }).click();
  });
  expect(file).toEqual({ name: "tides.txt", text: "High at eight" });
  await page.getByRole("button", { name: "Actions for tides.txt" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete tides.txt?" });
  await dialog.getByRole("link", { name: "Ferry talk" }).waitFor();
  await look(page, "file-delete");
  await dialog.getByRole("button", { name: "Delete file" }).click();
  await page.getByText("No files match “tides”.").waitFor();
  await page.context().close();

  const phone = await open("/settings/files", { size: "phone" });
  await phone.getByText("50 of 55").waitFor();
  await look(phone, "files");
  await phone.context().close();
});

test("prompts and knowledge bases go into a file and come back from one", async () => {
  const page = await open("/prompts");
  await page.getByText("No prompts yet.").waitFor();
  const prompts = (json: unknown) =>
    page
      .getByLabel("Import prompts", { exact: true })
      .setInputFiles({ name: "prompts.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(json)) });
  await prompts([
    { command: "tide", name: "Tide", content: "When is high water?" },
    { command: "two words", content: "x" },
  ]);
  const dialog = page.getByRole("dialog", { name: "Import 2 prompts?" });
  await dialog.getByRole("button", { name: "Import" }).click();
  await dialog.getByText(/A command can have letters|A prompt needs a name/).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await prompts({ prompts: [{ command: "tide", name: "Tide", content: "When is high water?" }] });
  await page.getByRole("dialog", { name: "Import 1 prompt?" }).getByRole("button", { name: "Import" }).click();
  await page.getByRole("link", { name: "Tide" }).waitFor();
  await look(page, "prompts");
  const file = await saved(page, async () => {
    await page.getByRole("button", { name: "Import and export" }).click();
    await page.getByRole("menuitem", { name: "Export all prompts" }).click();
  });
  expect(JSON.parse(file.text)).toMatchObject([{ command: "tide", content: "When is high water?" }]);

  await pressLink(page, "/knowledge");
  await page.getByText("No knowledge bases yet.").waitFor();
  const zip = (name: string, buffer: Buffer) =>
    page
      .getByLabel("Import from a zip file", { exact: true })
      .setInputFiles({ name, mimeType: "application/zip", buffer });
  const packed = Buffer.from(
    zipSync({ "tides.txt": Buffer.from("High at eight"), "rules/berths.md": Buffer.from("# Berths\n\nAsk first.") }),
  );
  await zip("harbour.zip", Buffer.from("nothing"));
  await page.getByText("This isn't a zip file").waitFor();
  await zip("half.zip", packed.subarray(0, 60));
  const broken = page.getByRole("dialog", { name: "Create a knowledge base from this zip file?" });
  await broken.getByRole("button", { name: "Create" }).click();
  await broken.getByText("This is not a zip file, or it is incomplete").waitFor();
  await broken.getByRole("button", { name: "Cancel" }).click();
  await zip("harbour.zip", packed);
  await look(page, "knowledge-import");
  await broken.getByRole("button", { name: "Create" }).click();
  await page.getByText("harbour was created with 2 files.").waitFor();
  await page.getByRole("link", { name: "harbour" }).click();
  await page.getByText("tides.txt").first().waitFor();
  await page.getByText("rules").first().waitFor();
  const id = page.url().split("/").at(-1)!;
  const count = async () => (await asBo<{ file_count: number }>("GET", `/api/v1/knowledge/${id}`)).file_count;
  await expect.poll(count).toBe(2);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download as zip" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("harbour.zip");
  expect(Object.keys(unzipSync(readFileSync(await download.path()))).toSorted()).toEqual([
    "rules/berths.md",
    "tides.txt",
  ]);
  await look(page, "knowledge-base");
  await page.context().close();

  const phone = await open("/prompts", { size: "phone" });
  await phone.getByRole("link", { name: "Tide" }).waitFor();
  await phone.getByRole("button", { name: "Import and export" }).click();
  await look(phone, "prompts-menu");
  await phone.context().close();
});
