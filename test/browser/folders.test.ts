import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ask, call, type ChatWorld, openChatWorld, signUp } from "./chat-world.ts";
import { findViolations } from "./find-violations.ts";
import type { PageOptions } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";

let world: ChatWorld;
beforeAll(async () => {
  world = await openChatWorld();
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

const api = <T>(page: Page, method: string, path: string, data?: unknown): Promise<T> =>
  call(page.context(), world.parley.url, method, path, data) as Promise<T>;
const rail = (page: Page) => page.getByRole("navigation");
const link = (page: Page, name: string) => rail(page).getByRole("link", { name, exact: true });
const section = (page: Page) => rail(page).getByRole("region", { name: "Folders" });

async function storeChat(page: Page, title: string, folderId: string | null = null): Promise<string> {
  const q = {
    id: "q",
    parentId: null,
    childrenIds: [],
    role: "user",
    content: `About ${title}`,
    timestamp: 1_760_000_000,
  };
  const chat = { title, history: { currentId: "q", messages: { q } } };
  return (await api<{ id: string }>(page, "POST", "/api/v1/chats/new", { chat, folder_id: folderId })).id;
}

const storeFolder = async (page: Page, name: string, parentId: string | null = null, data = {}): Promise<string> =>
  (await api<{ id: string }>(page, "POST", "/api/v1/folders/", { name, parent_id: parentId, data })).id;

async function choose(page: Page, label: string, name: string, action: string): Promise<void> {
  await link(page, name).hover();
  await rail(page)
    .getByRole("button", { name: `Actions for ${label}${name}`, exact: true })
    .click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
}
const chooseFolder = (page: Page, name: string, action: string) => choose(page, "the folder ", name, action);

async function make(page: Page, name: string): Promise<void> {
  await rail(page).getByRole("button", { name: "New folder", exact: true }).click();
  await rail(page).getByRole("textbox", { name: "Name of the new folder" }).fill(name);
  await page.keyboard.press("Enter");
  await link(page, name).waitFor();
}

describe("folders in the list", () => {
  it("are made, renamed and made inside each other, and stay open for the next visit", async () => {
    const page = await openChat();
    await make(page, "Harbour");
    await chooseFolder(page, "Harbour", "Rename");
    await rail(page).getByRole("textbox", { name: "Name of the folder" }).fill("Port");
    await page.keyboard.press("Enter");
    await chooseFolder(page, "Port", "New folder inside");
    await rail(page).getByRole("textbox", { name: "Name of the new folder" }).fill("Quay");
    await page.keyboard.press("Enter");
    await link(page, "Quay").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.reload();
    await link(page, "Quay").waitFor();
    await rail(page).getByRole("button", { name: "Hide what is in Port" }).click();
    await expect.poll(() => link(page, "Quay").count()).toBe(0);
    // A second one of the same name is refused, and why is said.
    await rail(page).getByRole("button", { name: "New folder", exact: true }).click();
    await rail(page).getByRole("textbox", { name: "Name of the new folder" }).fill("port");
    await page.keyboard.press("Enter");
    await page.getByText("There is already a folder with this name here").waitFor();
  });

  it("take chats and folders that are dragged, in every tab", async () => {
    const page = await openChat();
    await storeChat(page, "Tides");
    await make(page, "Harbour");
    await make(page, "Quay");
    await link(page, "Tides").dragTo(link(page, "Harbour"));
    await expect.poll(() => link(page, "Tides").count()).toBe(0);
    const kept = page.waitForResponse("**/update/expanded");
    await rail(page).getByRole("button", { name: "Show what is in Harbour" }).click();
    await kept;
    const other = await page.context().newPage();
    await other.goto("/");
    await link(other, "Quay").waitFor();
    await link(page, "Quay").dragTo(link(page, "Harbour"));
    await section(page).getByRole("link", { name: "Tides" }).waitFor();
    await section(page).getByRole("link", { name: "Quay" }).waitFor();
    await section(other).getByRole("link", { name: "Tides" }).waitFor();
    await storeChat(page, "Wind");
    await link(page, "Wind").waitFor();
    await link(page, "Tides").dragTo(link(page, "Wind"));
    await expect.poll(() => section(page).getByRole("link", { name: "Tides" }).count()).toBe(0);
    await link(page, "Tides").waitFor();
  });

  it("stay as they were turned while an older list is on its way", async () => {
    const page = await openChat();
    const folder = await storeFolder(page, "Harbour");
    await storeChat(page, "Tides", folder);
    await link(page, "Harbour").waitFor();
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route("**/api/v1/folders/?**", async (route) => {
      const response = await route.fetch();
      asked.resolve();
      await released.promise;
      await route.fulfill({ response });
    });
    await storeFolder(page, "Quay");
    await asked.promise;
    const kept = page.waitForResponse("**/update/expanded");
    await rail(page).getByRole("button", { name: "Show what is in Harbour" }).click();
    released.resolve();
    await kept;
    await link(page, "Quay").waitFor();
    await expect.poll(() => section(page).getByRole("link", { name: "Tides" }).count()).toBe(1);
  });

  it("are used by keyboard alone", async () => {
    const page = await openChat();
    const folder = await storeFolder(page, "Harbour");
    await storeFolder(page, "Quay", folder);
    await storeChat(page, "Tides");
    await link(page, "Tides").waitFor();
    await link(page, "Harbour").focus();
    await page.keyboard.press("ArrowRight");
    await link(page, "Quay").waitFor();
    await page.keyboard.press("F2");
    await page.keyboard.type("Port");
    await page.keyboard.press("Enter");
    await link(page, "Port").waitFor();

    await rail(page).getByRole("button", { name: "Actions for Tides", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("Move");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Move “Tides”" });
    await dialog.waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => dialog.getByRole("radio", { name: "Quay" }).isChecked()).toBe(true);
    await page.keyboard.press("Enter");
    await expect.poll(() => dialog.count()).toBe(0);
    await rail(page).getByRole("button", { name: "Show what is in Quay" }).click();
    await section(page).getByRole("link", { name: "Tides" }).waitFor();
    await choose(page, "", "Tides", "Take out of folder");
    await expect.poll(() => section(page).getByRole("link", { name: "Tides" }).count()).toBe(0);
  });

  it("ask what becomes of the chats before they are deleted", async () => {
    const page = await openChat();
    const [first, second] = [await storeFolder(page, "First"), await storeFolder(page, "Second")];
    await storeFolder(page, "Inside", first);
    await storeChat(page, "Kept", first);
    await storeChat(page, "Dropped", second);
    await chooseFolder(page, "First", "Delete");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The 1 folder in it will be deleted too.").waitFor();
    await dialog.getByText("1 chat will go back to the list").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Delete folder", exact: true }).click();
    await link(page, "Kept").waitFor();
    await chooseFolder(page, "Second", "Delete");
    await dialog.getByRole("radio", { name: /Delete the chats too/ }).check();
    await dialog.getByRole("button", { name: "Delete folder and 1 chat" }).click();
    await expect.poll(() => link(page, "Second").count()).toBe(0);
    await expect.poll(() => link(page, "Dropped").count()).toBe(0);
  });
});

/** Lets everyone share folders. */
async function letShare(): Promise<void> {
  const page = await world.browser.openPage({ baseURL: world.parley.url });
  await call(page.context(), world.parley.url, "POST", "/api/v1/auths/signin", {
    email: world.adminEmail,
    password: "correct horse",
  });
  await call(page.context(), world.parley.url, "POST", "/api/v1/users/default/permissions", {
    sharing: { folders: true },
  });
  await page.context().close();
}

describe("the page of a folder", () => {
  it("has its settings, and a new chat in it uses them", async () => {
    const page = await openChat();
    const id = await storeFolder(page, "Harbour");
    await pressLink(page, `/folders/${id}`);
    await page.getByLabel("Instructions").fill("Answer like a sailor.");
    await page.getByLabel("Model for new chats").selectOption({ label: "mistral" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The folder is saved.").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "New chat in this folder" }).click();
    await page.getByRole("heading", { name: "New chat in Harbour" }).waitFor();
    await page.getByRole("button", { name: "Model: mistral" }).waitFor();
    await ask(page, "What is the capital of France?");
    await expect.poll(() => page.url()).toMatch(/\/c\/[0-9a-f-]+$/);
    const asked = world.upstream.requests.findLast(({ body }) => JSON.stringify(body).includes("sailor"))!;
    expect(asked.body).toMatchObject({ model: "mistral", messages: [{ role: "system" }, { role: "user" }] });
    const chats = await api<unknown[]>(page, "GET", `/api/v1/chats/folder/${id}/list`);
    expect(chats).toHaveLength(1);
    await page
      .getByRole("button", { name: /^Actions for/ })
      .last()
      .waitFor();
  });

  it("finds chats within, and says when there is none", async () => {
    const page = await openChat();
    const id = await storeFolder(page, "Harbour");
    await storeChat(page, "Herring inside", id);
    await storeChat(page, "Herring outside");
    await pressLink(page, `/folders/${id}`);
    const main = page.getByRole("main");
    await main.getByRole("searchbox", { name: "Search in this folder" }).fill("zebra");
    await main.getByText("No chats in this folder match “zebra”.").waitFor();
    await main.getByRole("searchbox", { name: "Search in this folder" }).fill("herring");
    await main.getByRole("link", { name: "Herring inside" }).waitFor();
    await expect.poll(() => main.getByRole("link", { name: "Herring outside" }).count()).toBe(0);
    await page.goto("/folders/unknown");
    await page.getByText("This folder doesn't exist, or isn't shared with you.").waitFor();
  });

  it.each(["light", "dark"] as const)("fits a phone, in %s colours", async (theme) => {
    const page = await openChat({ size: "phone", theme });
    const id = await storeFolder(page, "A folder with quite a long name for such a narrow page");
    const inner = await storeFolder(page, "Inner", id);
    await storeChat(page, "Tides", inner);
    await api(page, "POST", `/api/v1/folders/${id}/update/expanded`, { is_expanded: true });
    await pressLink(page, `/folders/${id}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("link", { name: "Inner" }).first().waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    expect(await findViolations(page)).toEqual([]);
  });

  it("says whose a shared folder is, and what one can do in it", async () => {
    const owner = await openChat();
    const id = await storeFolder(owner, "Harbour", null, { system_prompt: "Be brief." });
    const guest = await world.browser.openPage({ baseURL: world.parley.url });
    pages.push(guest);
    await signUp(guest.context(), world.parley.url);
    const { id: guestId } = await api<{ id: string }>(guest, "GET", "/api/v1/auths/");
    await letShare();
    await api(owner, "POST", `/api/v1/folders/${id}/access/update`, {
      access_grants: [{ principal_type: "user", principal_id: guestId, permission: "read" }],
    });
    await guest.goto(`/folders/${id}`);
    await guest.getByText("shares this folder with you").waitFor();
    await expect.poll(() => guest.getByLabel("Instructions").count()).toBe(0);
    await section(guest)
      .getByRole("link", { name: /Harbour/ })
      .waitFor();
    expect(await findViolations(guest)).toEqual([]);
  });
});
