import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";

const bo = { name: "Bo Ek", email: "bo@harbour.example", password: "another long password" };
let parley: Parley;
let browser: TestBrowser;
let token: string;
let boToken: string;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley({ env: { DEFAULT_USER_ROLE: "user" } }), openBrowser()]);
  ({ token } = await signUpByApi(parley.url, ada));
  ({ token: boToken } = await signUpByApi(parley.url, bo));
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
});

async function open(path: string, account = ada, size: "desktop" | "phone" = "desktop"): Promise<Page> {
  const page = await browser.openPage({ baseURL: parley.url, size });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await signInContext(page, parley.url, account);
  await page.goto(path);
  await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
  return page;
}
const asAdmin = <T>(method: string, path: string, body?: object) => callApi<T>(parley.url, token, method, path, body);
const models = (key: string) => fetch(`${parley.url}/api/models`, { headers: { authorization: `Bearer ${key}` } });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim());
const allow = (allowed: boolean) => asAdmin("POST", "/api/v1/auths/admin/config", { ENABLE_API_KEYS: allowed });

async function permit(permitted: boolean): Promise<void> {
  const everyone = await asAdmin<{ features: object }>("GET", "/api/v1/users/default/permissions");
  const features = { ...everyone.features, api_keys: permitted };
  await asAdmin("POST", "/api/v1/users/default/permissions", { ...everyone, features });
}

const makeKey = async (name: string, as = token) =>
  (await callApi<{ api_key: string }>(parley.url, as, "POST", "/api/v1/auths/api_key", { name })).api_key;

beforeEach(async () => {
  await asAdmin("DELETE", "/api/v1/auths/admin/api_keys");
  await allow(true);
  await permit(true);
});

test("while keys are off, the page says so, and an administrator gets on from there to the switch", async () => {
  await allow(false);
  await permit(false);
  const member = await open("/settings/keys", bo);
  await member.getByText("Ask an administrator to switch them on.").waitFor();
  await expect.poll(() => member.getByRole("button", { name: "New key" }).count()).toBe(0);

  const page = await open("/settings/keys");
  await page.getByRole("link", { name: "Switch them on" }).click();
  await page.getByRole("switch", { name: "Enable API keys" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("saved. The changes apply now.").waitFor();

  await member.reload();
  await member.getByText("Your account isn't allowed to use API keys.").waitFor();
  await permit(true);
  await member.reload();
  await member.getByRole("button", { name: "New key" }).first().waitFor();
});

test("a key is made, copied once and used, all by keyboard; deleted, it is refused", async () => {
  const page = await open("/settings/keys", bo);
  await page.getByText("You have no keys.").waitFor();
  await page.getByRole("button", { name: "New key" }).first().focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  // A name is asked for, and the field has the focus.
  await page.keyboard.press("Enter");
  await dialog.getByText("Enter a name").waitFor();
  await page.keyboard.type("Backup script");
  await page.keyboard.press("Enter");
  await dialog.getByRole("heading", { name: "Copy the key Backup script" }).waitFor();
  expect(await findViolations(page)).toEqual([]);

  // The focus stands on the button that copies; what is shown, is copied, is a key.
  await page.keyboard.press("Enter");
  await dialog.getByText("Copied: Key.").waitFor();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  expect(key).toMatch(/^sk-.{20,}/);
  await expect.poll(() => dialog.getByRole("group", { name: "Key", exact: true }).textContent()).toContain(key);
  const line = await dialog.getByRole("group", { name: "Try it in a terminal" }).textContent();
  expect(line).toContain(`curl ${parley.url}/api/models -H "Authorization: Bearer ${key}"`);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  // Nothing of it is left on the page but its end, once the dialog has faded.
  await expect.poll(() => page.content()).not.toContain(key);
  await page.getByText(`…${key.slice(-4)}`).waitFor();
  await page.getByText("Never used").waitFor();
  expect((await models(key)).status).toBe(200);
  await page.reload();
  await page.getByText(/Last used now/).waitFor();

  await page.getByRole("button", { name: "Delete the key Backup script" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete key" }).click();
  await page.getByText("The key Backup script was deleted.").waitFor();
  await page.getByText("You have no keys.").waitFor();
  expect((await models(key)).status).toBe(401);
});

test("who leaves without having copied is asked first, however they leave", async () => {
  const page = await open("/settings/keys", bo);
  // So that there is something to go back to.
  await page.getByRole("link", { name: "Sessions" }).click();
  await page.getByRole("heading", { level: 1, name: "Sessions" }).waitFor();
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("button", { name: "New key" }).first().click();
  await page.keyboard.type("Forgotten");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "Copy the key Forgotten" }).waitFor();
  for (const leave of [
    // Twice in a row: browsers let a page stop only the first one by itself.
    async () => {
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
    },
    () => dialog.getByRole("button", { name: "Close", exact: true }).click(),
    () => page.mouse.click(5, 5),
  ]) {
    await leave();
    await dialog.getByText("Close without copying?").waitFor();
    await expect.poll(() => focused(page)).toBe("Back to the key");
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "I have copied it" }).waitFor();
  }
  await page.goBack();
  await page
    .getByRole("dialog", { name: "Leave without saving?" })
    .getByRole("button", { name: "Stay on this page" })
    .click();
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Close without copying" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Delete the key Forgotten" }).waitFor();
});

test("where the browser refuses to copy, the key is selected and the person is told what to press", async () => {
  const page = await open("/settings/keys", bo);
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.getByRole("button", { name: "Copy Base URL for programs that use the OpenAI API" }).click();
  await page.getByText("The text is selected: press Ctrl+C or Cmd+C.").waitFor();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(`${parley.url}/api`);
});

describe("the administrators' page", () => {
  test("finds keys by name and owner, and revokes one, a person's, and all after a typed word", async () => {
    const keys = await Promise.all([
      makeKey("Import"),
      makeKey("Export"),
      makeKey("Nightly", boToken),
      makeKey("Weekly", boToken),
    ]);
    const page = await open("/admin/keys");
    const rows = page.getByRole("table", { name: "API keys" }).getByRole("row");
    await page.getByLabel("Search key, name or e-mail").fill("nightl");
    await expect.poll(() => rows.count()).toBe(2);
    expect(new URL(page.url()).search).toBe("?q=nightl");
    await page.getByRole("button", { name: "Actions for the key Nightly of Bo Ek" }).click();
    await page.getByRole("menuitem", { name: "Revoke this key" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
    await page.getByText("The key Nightly was revoked.").waitFor();
    await page.getByText("No keys match “nightl”.").waitFor();
    expect(await Promise.all(keys.map(async (key) => (await models(key)).status))).toEqual([200, 200, 401, 200]);

    await page.getByLabel("Search key, name or e-mail").fill("");
    await page.getByRole("button", { name: "Actions for the key Weekly of Bo Ek" }).click();
    await page.getByRole("menuitem", { name: "Revoke all keys of Bo Ek" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke their keys" }).click();
    await page.getByText(/keys? (was|were) revoked\./).waitFor();
    await expect.poll(() => page.getByText(bo.email).count()).toBe(0);
    expect((await models(keys[3] ?? "")).status).toBe(401);

    await page.getByRole("button", { name: "Revoke all keys" }).click();
    const dialog = page.getByRole("dialog");
    await page.keyboard.type("yes");
    await page.keyboard.press("Enter");
    await dialog.getByText("This doesn't match “revoke all”.").waitFor();
    expect((await models(keys[0] ?? "")).status).toBe(200);
    await dialog.getByRole("textbox").fill("Revoke all");
    await page.keyboard.press("Enter");
    await page.getByText("2 keys were revoked.").waitFor();
    await page.getByText("Nobody has created a key yet.").waitFor();
    expect((await models(keys[0] ?? "")).status).toBe(401);
  });

  test("shows which entry of the endpoint list is a slip and mends it; keys reach what is listed", async () => {
    const key = await makeKey("Restricted");
    const page = await open("/admin/keys");
    await page.getByRole("switch", { name: "API key endpoint restrictions" }).check();
    await page.getByText("the list is empty: keys can't reach anything").waitFor();
    const field = page.getByLabel("Add an endpoint");
    await field.fill("/api/modles");
    await page.keyboard.press("Enter");
    await page.getByText("This endpoint doesn't exist, so the entry allows nothing.").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Use /api/models" }).click();
    // A pasted list is taken apart.
    await field.focus();
    await page.evaluate(() => navigator.clipboard.writeText("GET /api/v1/auths/, /api/v1/chats/*\n/health"));
    await page.keyboard.press("Control+v");
    const entries = page.getByRole("list", { name: "Allowed endpoints" }).locator("> li");
    await expect.poll(() => entries.count()).toBe(4);
    await page.getByRole("button", { name: "Remove /health" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("saved. The changes apply now.").waitFor();
    expect((await models(key)).status).toBe(200);
    const sessions = { headers: { authorization: `Bearer ${key}` } };
    expect((await fetch(`${parley.url}/api/v1/auths/sessions`, sessions)).status).toBe(401);

    // The general settings lead here instead of showing the same twice.
    await pressLink(page, "/admin/settings");
    await page.getByRole("link", { name: "Open API keys" }).waitFor();
    await expect.poll(() => page.getByRole("switch", { name: "Enable API keys" }).count()).toBe(0);
    await asAdmin("POST", "/api/v1/auths/admin/config", {
      ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: false,
      API_KEYS_ALLOWED_ENDPOINTS: "",
    });
  });
});

test("who administers an organization sees the keys of its people, and nothing that is everyone's", async () => {
  const { id } = await callApi<{ id: string }>(parley.url, boToken, "GET", "/api/v1/auths/");
  await asAdmin("POST", `/api/v1/users/${id}/update`, { organization_role: "admin" });
  await Promise.all([makeKey("Of the administrator"), makeKey("Of a member", boToken)]);
  const page = await open("/admin/keys", bo);
  const rows = page.getByRole("table", { name: "API keys" }).getByRole("row");
  await expect.poll(() => rows.count()).toBe(2);
  await rows.filter({ hasText: "Of a member" }).waitFor();
  await expect.poll(() => page.getByRole("switch").count()).toBe(0);
  await expect.poll(() => page.getByRole("button", { name: "Revoke all keys", exact: true }).count()).toBe(0);
  await page.getByRole("link", { name: "Audit" }).click();
  await page.getByRole("button", { name: "Bo Ek created the key Of a member" }).waitFor();
  await pressLink(page, "/admin/scim");
  await page.getByRole("heading", { level: 1, name: "Administrators only" }).waitFor();
  await asAdmin("POST", `/api/v1/users/${id}/update`, { organization_role: "member" });
});

test("on a phone the pages fit and break nothing", async () => {
  await makeKey("A rather long name of a key for the harbour office's nightly import of everything there is");
  for (const path of ["/settings/keys", "/admin/keys"]) {
    const page = await open(path, ada, "phone");
    await page.getByText("A rather long name").first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  }
});

test("a key with an end tells it to its owner and to administrators", async () => {
  const { id } = await asAdmin<{ id: string }>("POST", "/api/v1/imports", {
    source: "open-webui",
    fingerprint: "harbour",
    name: "webui.db",
  });
  const records = [
    { kind: "person", id: "cy", name: "Cy", email: "cy@harbour.example", role: "user" },
    {
      kind: "api_key",
      id: "key-cy",
      person_id: "cy",
      secret: "sk-0123456789abcdef0123456789abcdef",
      name: "Imported",
      expires_at: Math.floor(Date.now() / 1000) + 3600,
    },
  ];
  await asAdmin("POST", `/api/v1/imports/${id}/records`, { records });
  const all = await open("/admin/keys");
  await all
    .getByRole("row", { name: /Imported/ })
    .getByText("Works until")
    .waitFor();

  await asAdmin("POST", "/api/v1/users/cy/update", { password: bo.password });
  const page = await open("/settings/keys", { ...bo, email: "cy@harbour.example" });
  await page.getByText("Works until").waitFor();
  expect(await findViolations(page)).toEqual([]);
});
