import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";

const key = "sk-harbour-123";
const bo = { name: "Bo Ek", email: "bo@harbour.example", password: "another long password" };
let parley: Parley;
let browser: TestBrowser;
let upstream: ReplayServer;
let token: string;

beforeAll(async () => {
  [parley, browser, upstream] = await Promise.all([
    startParley({ env: { JWT_EXPIRES_IN: "2w" } }),
    openBrowser(),
    startReplayServer({ fixtures: ["openai", "mistral"], key }),
  ]);
  ({ token } = await signUpByApi(parley.url, ada));
});
afterAll(async () => {
  await browser.close();
  await Promise.all([parley.stop(), upstream.close()]);
});

/** A page of the administrator. */
async function open(path: string): Promise<Page> {
  const page = await browser.openPage({ baseURL: parley.url });
  await signInContext(page, parley.url, ada);
  await page.goto(path);
  return page;
}
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
const choose = async (page: Page, menu: string, item: string) => {
  await page.getByRole("button", { name: menu }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

const api = <T>(method: string, path: string, body?: object) => callApi<T>(parley.url, token, method, path, body);

async function disconnect(): Promise<void> {
  for (const { id } of await api<{ id: string }[]>("GET", "/api/v1/connections"))
    await api("DELETE", `/api/v1/connections/${id}`);
}
/** Has one connection, to the fixtures. */
async function connect(): Promise<void> {
  await disconnect();
  await api("POST", "/api/v1/connections", { name: "Replay", base_url: upstream.url, key });
}

test("an administrator adds, promotes, deactivates, edits and deletes a person", async () => {
  const page = await open("/admin/people");
  await page.getByRole("button", { name: "Add a person" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a person" });
  await dialog.getByLabel("Name", { exact: true }).fill(bo.name);
  await dialog.getByLabel("E-mail").fill(ada.email.toUpperCase());
  await dialog.getByLabel("Password", { exact: true }).fill(bo.password);
  await dialog.getByRole("button", { name: "Add person" }).click();
  await expect.poll(() => dialog.getByLabel("E-mail").getAttribute("aria-invalid")).toBe("true");
  await dialog.getByLabel("E-mail").fill(bo.email);
  await dialog.getByRole("button", { name: "Add person" }).click();
  await row(page, bo.email).waitFor();

  const session = await callApi<{ token: string; role: string }>(parley.url, "", "POST", "/api/v1/auths/signin", bo);
  expect(session.role).toBe("user");

  await choose(page, `Actions for ${bo.name}`, "Make administrator");
  await row(page, bo.email).getByText("Administrator").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await row(page, bo.email).getByText("Member").waitFor();

  const fresh = await callApi<{ token: string }>(parley.url, "", "POST", "/api/v1/auths/signin", bo);
  await choose(page, `Actions for ${bo.name}`, "Deactivate");
  await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
  await row(page, bo.email).getByText("Deactivated").waitFor();
  await expect(callApi(parley.url, fresh.token, "GET", "/api/v1/auths/")).rejects.toThrow("401");
  await choose(page, `Actions for ${bo.name}`, "Activate");
  await row(page, bo.email).getByText("Member").waitFor();

  await choose(page, `Actions for ${bo.name}`, "Edit");
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Bo Ekström");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await row(page, "Bo Ekström").waitFor();

  await choose(page, "Actions for Bo Ekström", "Delete account");
  await page.getByText(`The account ${bo.email} and all its chats are deleted permanently.`).waitFor();
  await page.getByRole("button", { name: "Delete account and chats" }).click();
  await expect.poll(() => row(page, bo.email).count()).toBe(0);
  await expect(callApi(parley.url, "", "POST", "/api/v1/auths/signin", bo)).rejects.toThrow("400");
});

test("one's own account cannot be demoted, deactivated or deleted, and the menu says why", async () => {
  const page = await open("/admin/people");
  await page.getByRole("button", { name: `Actions for ${ada.name}` }).click();
  for (const item of ["Make member", "Deactivate", "Delete account"]) {
    const entry = page.getByRole("menuitem", { name: item });
    await expect.poll(() => entry.getAttribute("aria-disabled")).toBe("true");
    await expect.poll(() => entry.textContent()).toContain("Not for your own account");
  }
});

test("people are searched by name and address; the search is in the address of the page, and long lists go on", async () => {
  for (let index = 0; index < 11; index++) {
    await api("POST", "/api/v1/auths/add", {
      name: `Deckhand ${index}`,
      email: `deck${index}@deck.example`,
      password: "a long password",
      role: "user",
    });
  }
  const page = await open("/admin");
  // Smaller pages than the UI asks for, so that eleven people are a long list.
  await page.route(/\/api\/v1\/users\/\?/, (route) =>
    route.continue({ url: route.request().url().replace("limit=50", "limit=5") }),
  );
  await page.goto("/admin/people?order=name&q=deck.example");
  const more = page.getByRole("button", { name: "Show more" });
  await page.getByText("5 of 11").waitFor();
  await more.click();
  await page.getByText("10 of 11").waitFor();
  await more.click();
  await page.getByText("11 of 11").waitFor();
  await expect.poll(() => more.count()).toBe(0);
  await expect.poll(() => page.getByRole("row").filter({ hasText: "Deckhand" }).count()).toBe(11);
  await page.getByRole("searchbox").fill("deck7@");
  await page.getByText("1 of 1", { exact: true }).waitFor();
  // On a phone an address goes on below its name, and no word of it is broken.
  await page.setViewportSize({ width: 390, height: 844 });
  const brokenWords = await row(page, "Deckhand 7")
    .locator("small")
    .evaluate((address) => {
      const texts = document.createTreeWalker(address, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      let broken = 0;
      while (texts.nextNode()) {
        range.selectNodeContents(texts.currentNode);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken++;
      }
      return broken;
    });
  expect(brokenWords).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(page.url()).toContain("q=deck7%40");
  await page.reload();
  await page.getByText("1 of 1", { exact: true }).waitFor();
  await page.getByRole("searchbox").fill("100%");
  await page.getByText("Nobody matches “100%”.").waitFor();
});

test("a person's details open beside the list under an address of their own, and Back closes them", async () => {
  const page = await open("/admin/people");
  const panel = page.getByRole("complementary", { name: "Person" });
  await page.getByRole("link", { name: ada.name }).click();
  await panel.getByText("Administrator").waitFor();
  await page.reload();
  await panel.getByRole("link", { name: ada.email }).waitFor();
  await page.goBack();
  await expect.poll(() => panel.count()).toBe(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("link", { name: ada.name }).click();
  await panel.waitFor();
  expect((await panel.boundingBox())?.width).toBe(390);
  await page.keyboard.press("Escape");
  await expect.poll(() => panel.count()).toBe(0);
  expect(new URL(page.url()).search).toBe("");
});

test("a connection is tested, saved, listed with its state, changed, switched off and deleted; its key never comes back", async () => {
  await disconnect();
  const page = await open("/admin/connections");
  await page.getByText("No model is connected yet.").waitFor();
  await page.getByRole("link", { name: "Add a connection" }).click();
  const test = page.getByRole("button", { name: "Test the connection" });
  const address = page.getByLabel("Address", { exact: true });

  await test.click();
  await expect.poll(() => address.getAttribute("aria-invalid")).toBe("true");
  await address.fill(upstream.url);
  await page.getByLabel("Key", { exact: true }).fill("wrong");
  await test.click();
  await page.getByText("The test failed.").waitFor();
  await page.getByLabel("Key", { exact: true }).fill(key);
  await page.getByText("You made changes after the test.").waitFor();
  await test.click();
  await page.getByText(/It works: \d+ models/).waitFor();

  await page.getByLabel("Only selected models").check();
  await page.getByLabel(upstream.models[0] ?? "", { exact: true }).check();
  await page.getByLabel("Name", { exact: true }).fill("Harbour gateway");
  await page.getByLabel("Prefix").fill("harbour");
  await page.getByRole("button", { name: "Save connection" }).click();
  const entry = row(page, "Harbour gateway");
  await entry.waitFor();
  await page.getByRole("button", { name: "Actions for Harbour gateway" }).click();
  await page.getByRole("menuitem", { name: "Test now" }).click();
  await entry
    .getByText(/models? · \d+ ms/)
    .filter({ visible: true })
    .waitFor();

  await page.getByRole("link", { name: "Harbour gateway" }).click();
  await page.getByText("A key is stored. Type a new one to replace it.").waitFor();
  expect(await page.content()).not.toContain(key);
  await expect.poll(() => page.getByLabel("Key", { exact: true }).inputValue()).toBe("");
  await page.getByLabel("Tags").fill("fast, eu");
  await page.getByText("Changed: tags").waitFor();
  await page.getByRole("button", { name: "Save connection" }).click();
  await page.getByText("The connection was saved.").waitFor();
  const [stored] = await api<{ tags: string[]; has_key: boolean; prefix_id: string }[]>("GET", "/api/v1/connections");
  expect(stored).toMatchObject({ tags: ["fast", "eu"], has_key: true, prefix_id: "harbour" });

  await page.getByRole("link", { name: "Connections", exact: true }).last().click();
  await page.getByRole("switch", { name: "Use Harbour gateway" }).click();
  await entry.getByText("Off", { exact: true }).filter({ visible: true }).waitFor();
  await page.getByRole("switch", { name: "Use Harbour gateway" }).click();
  await choose(page, "Actions for Harbour gateway", "Delete");
  await page.getByRole("button", { name: "Delete connection and key" }).click();
  await page.getByText("No model is connected yet.").waitFor();
});

test("a model of one's own is made, given to chosen people, hidden and deleted", async () => {
  await connect();
  const mate = { name: "Mate Seven", email: "mate@ship.example", password: "a long password" };
  await api("POST", "/api/v1/auths/add", { ...mate, role: "user" });
  const session = await callApi<{ token: string }>(parley.url, "", "POST", "/api/v1/auths/signin", mate);
  const seen = async () =>
    (await callApi<{ data: { id: string }[] }>(parley.url, session.token, "GET", "/api/models")).data.map(
      ({ id }) => id,
    );
  const base = upstream.models[0] ?? "";

  const page = await open("/admin/models");
  await row(page, base).first().waitFor();
  await page.getByRole("link", { name: "New model" }).click();
  await page.getByRole("button", { name: "Create model" }).click();
  await page.getByText("Enter a name.").first().waitFor();
  await page.getByLabel("Base model").selectOption(base);
  await page.getByLabel("Name", { exact: true }).fill("Harbour desk");
  await page.getByLabel("Description").fill("Answers about berths");
  await page.getByLabel("Instructions", { exact: true }).fill("Be brief.");
  await page.getByLabel("Temperature").fill("0,3");
  await page.getByLabel("Only administrators").check();
  await page.getByRole("button", { name: "Create model" }).click();
  await row(page, "Harbour desk").waitFor();
  await expect.poll(() => seen()).not.toContain("harbour-desk");

  await page.getByRole("link", { name: "Harbour desk" }).click();
  await page.getByLabel("Selected people and groups").check();
  await page.getByRole("searchbox", { name: "Add a person or group" }).fill("mate seven");
  await page.getByRole("button", { name: /Mate Seven/ }).click();
  await page.getByText("Changed: who can use it").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The model was saved.").waitFor();
  await expect.poll(() => seen()).toContain("harbour-desk");
  const stored = await api<{ params: object }>("GET", "/api/v1/models/model?id=harbour-desk");
  expect(stored.params).toEqual({ system: "Be brief.", temperature: 0.3 });

  // Somebody else has written new instructions: neither an older form nor a switch of an older list takes them away.
  const change = { id: "harbour-desk", params: { system: "Be kind." } };
  const list = await open("/admin/models");
  await row(list, "Harbour desk").waitFor();
  await api("POST", "/api/v1/models/model/update", change);
  await page.getByLabel("Description").fill("Answers about buoys");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Someone else changed this at the same time.").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  const now = () => api<object>("GET", "/api/v1/models/model?id=harbour-desk");
  await list.getByRole("switch", { name: "Show Harbour desk" }).click();
  await row(list, "Harbour desk").getByText("Hidden").waitFor();
  expect(await now()).toMatchObject({
    params: change.params,
    meta: { description: "Answers about berths", hidden: true },
  });
  await list.getByRole("switch", { name: "Show Harbour desk" }).click();
  await expect.poll(now).toMatchObject({ meta: { hidden: false } });

  await page.getByRole("link", { name: "Models", exact: true }).last().click();
  await page.getByRole("switch", { name: "Show Harbour desk" }).click();
  await row(page, "Harbour desk").getByText("Hidden").waitFor();
  await expect.poll(seen).not.toContain("harbour-desk");
  await page.getByRole("switch", { name: `Show ${base}` }).click();
  await row(page, base).getByText("Hidden").first().waitFor();
  // The switch shows at once what the service is being told.
  await expect.poll(seen).not.toContain(base);
  await choose(page, "Actions for Harbour desk", "Delete");
  await page.getByRole("button", { name: "Delete model and instructions" }).click();
  await page.getByText("The model Harbour desk was deleted.").waitFor();
  await expect(now()).rejects.toThrow("404");
});

test("settings say what changed, are saved, undone and cancelled; what the environment sets is locked", async () => {
  const page = await open("/admin/settings");
  const locked = page.getByLabel("Session lifetime");
  await locked.waitFor();
  await expect.poll(() => locked.isDisabled()).toBe(true);
  await expect.poll(() => locked.inputValue()).toBe("2w");
  await page.getByText("Set by the environment (JWT_EXPIRES_IN).").waitFor();

  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Harbour Office");
  await page.getByText("Changed: Name").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => page.title()).toBe("Settings · Harbour Office");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => name.inputValue()).toBe("Parley");

  const wait = page.getByLabel("Provider timeout (seconds)");
  await wait.fill("0");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => wait.getAttribute("aria-invalid")).toBe("true");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => wait.inputValue()).toBe("300");
});

test("unsaved changes are not left behind without a question, also by Back", async () => {
  const page = await open("/admin/health");
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByLabel("Name", { exact: true }).fill("Somewhere else");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await page.getByRole("navigation").getByRole("button", { name: "People" }).click();
  await page.getByRole("link", { name: "People" }).click();
  await question.getByRole("button", { name: "Stay on this page" }).click();
  await page.goBack();
  await question.waitFor();
  expect(new URL(page.url()).pathname).toBe("/admin/settings");
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("Somewhere else");
  await page.goBack();
  await question.getByRole("button", { name: "Discard changes" }).click();
  await page.getByRole("heading", { level: 1, name: "Health" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/admin/health");
});

test("health asks all three levels, and the overview names what needs the administrator", async () => {
  await connect();
  const page = await open("/admin/health");
  const level = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  await level("Service and database").getByText("OK").waitFor();
  await level("Models are listed").getByText("OK").waitFor();
  await page.getByLabel("Model", { exact: true }).selectOption("mistral");
  await page.getByRole("button", { name: "Ask a model" }).click();
  await level("A model answers").getByText("It answered:").waitFor();

  await signUpByApi(parley.url, { name: "Carla", email: "carla@harbour.example", password: "a third password" });
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByText("1 person is waiting for approval.").waitFor();
  await page.getByRole("link", { name: "View people" }).click();
  await row(page, "carla@harbour.example").waitFor();
  await expect.poll(() => page.getByRole("row").count()).toBe(2);
});

test("the palette goes to a page by keyboard alone, and the keys are listed", async () => {
  const page = await open("/admin");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("appear dark");
  await page.getByRole("option", { name: "Appearance: Dark" }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("health");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Health" }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("dialog", { name: "Keyboard shortcuts" }).isVisible()).toBe(false);
});
