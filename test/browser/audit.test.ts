import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";

const bo = { name: "Bo Ek", email: "bo@harbour.example", password: "another long password" };
const scimToken = "a token of the identity provider, long".replaceAll(" ", "-");
let parley: Parley;
let browser: TestBrowser;
let token: string;
let boId: string;

beforeAll(async () => {
  const env = { SCIM_ENABLED: "true", SCIM_TOKEN: scimToken, SCIM_AUTH_PROVIDER: "oidc", ENABLE_API_KEYS: "true" };
  [parley, browser] = await Promise.all([startParley({ env }), openBrowser()]);
  ({ token } = await signUpByApi(parley.url, ada));
  ({ id: boId } = await signUpByApi(parley.url, bo));
  await asAdmin("POST", `/api/v1/users/${boId}/update`, { role: "user" });
  await asAdmin("POST", "/api/v1/auths/api_key", { name: "Backup script" });
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
});

const asAdmin = <T>(method: string, path: string, body?: object) => callApi<T>(parley.url, token, method, path, body);

async function scim(method: string, path: string, body?: object, as = scimToken): Promise<Record<string, unknown>> {
  const response = await fetch(`${parley.url}/api/v1/scim/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${as}`, "content-type": "application/scim+json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (await response.json()) as Record<string, unknown>;
}

async function open(path: string, size: "desktop" | "phone" = "desktop"): Promise<Page> {
  const page = await browser.openPage({ baseURL: parley.url, size });
  // With the session of the sign-up: each sign-in would stand in the log.
  await page.context().addCookies([{ name: "token", value: token, url: parley.url }]);
  await page.goto(path);
  await page.getByRole("table").waitFor();
  return page;
}
/** The sentences of the rows, newest first. */
const sentences = async (page: Page) =>
  (await page.locator("tbody button[aria-expanded]").allTextContents()).map((text) =>
    text.trim().replaceAll(/\s+/g, " "),
  );

describe("the audit page", () => {
  test("tells in sentences what happened, newest first, with what changed and the request behind it", async () => {
    const page = await open("/admin/audit");
    await expect
      .poll(() => sentences(page))
      .toEqual([
        "Ada Lindqvist created the key Backup script",
        "Ada Lindqvist changed the role of Bo Ek",
        "Bo Ek signed up",
        "Ada Lindqvist signed up",
      ]);
    const row = page.getByRole("button", { name: "Ada Lindqvist changed the role of Bo Ek" });
    await row.focus();
    await page.keyboard.press("Enter");
    await page.getByText("was Waiting").waitFor({ state: "attached" });
    await page.getByText("became Member").waitFor({ state: "attached" });
    await page.getByText("user.role_updated").waitFor();
    await expect.poll(() => row.getAttribute("aria-expanded")).toBe("true");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy Request" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^[0-9a-f-]{36}$/);
    expect(await findViolations(page)).toEqual([]);
  });

  test("is narrowed by who, what, when and how it went; the address keeps it, and the file holds the same", async () => {
    const page = await open("/admin/audit");
    await page.getByRole("combobox", { name: "What" }).selectOption("API keys");
    await expect.poll(() => sentences(page)).toEqual(["Ada Lindqvist created the key Backup script"]);
    await page.reload();
    await expect.poll(() => sentences(page)).toEqual(["Ada Lindqvist created the key Backup script"]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export as CSV" }).click(),
    ]);
    const lines = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\r\n");
    expect(download.suggestedFilename()).toMatch(/^audit-.*\.csv$/);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain("api_key.created");
    await page.getByRole("button", { name: "Clear filter" }).click();
    await expect.poll(() => sentences(page)).toHaveLength(4);

    // Nobody but strangers did anything through no session.
    await page.getByRole("combobox", { name: "Via" }).selectOption("Not signed in");
    await expect.poll(() => sentences(page)).toEqual(["Bo Ek signed up", "Ada Lindqvist signed up"]);
    await page.getByRole("button", { name: "Clear filter" }).click();

    await page.getByLabel("Who").fill("lindq");
    // The browser's own list cannot be opened by a test; choosing from it writes the whole entry.
    await page.locator("datalist option").first().waitFor({ state: "attached" });
    await page.getByLabel("Who").fill(`${ada.name} (${ada.email})`);
    await expect.poll(() => sentences(page)).toHaveLength(2);
    await page.getByRole("button", { name: "Clear filter" }).click();

    await page.getByLabel("From").fill("2031-01-01");
    await page.getByText("No entries match the filter.").waitFor();
    await page.getByRole("button", { name: "Clear filter" }).click();
    await page.getByRole("button", { name: "Bo Ek signed up" }).click();
    await page.getByRole("link", { name: "Everything about this" }).click();
    await expect.poll(() => sentences(page)).toEqual(["Ada Lindqvist changed the role of Bo Ek", "Bo Ek signed up"]);
    await page.getByRole("button", { name: "Remove this filter" }).click();
    await expect.poll(() => sentences(page)).toHaveLength(4);
  });

  test("goes on by itself at its end, without a gap or a repetition", async () => {
    for (let number = 0; number < 70; number++)
      await asAdmin("POST", `/api/v1/users/${boId}/update`, { name: `Bo ${String(number).padStart(2, "0")}` });
    const page = await open("/admin/audit?action=user.name_updated");
    await expect.poll(() => sentences(page)).toHaveLength(50);
    await page.getByRole("button", { name: "Show older" }).scrollIntoViewIfNeeded();
    await page.getByText("70 entries in total").waitFor();
    const rows = page.locator("tbody button[aria-expanded]");
    for (const row of [await rows.nth(49).elementHandle(), await rows.nth(50).elementHandle()]) await row?.click();
    const became = await page.locator("ins").allTextContents();
    expect(became.map((text) => text.trim().slice(-5))).toEqual(["Bo 20", "Bo 19"]);
    await asAdmin("POST", `/api/v1/users/${boId}/update`, { name: bo.name });
  });

  test("says when it cannot be read, keeps what was there, and tries again", async () => {
    const page = await open("/admin/audit");
    await page.route("**/api/v1/audit?*", (route) => route.fulfill({ status: 500, body: "{}" }));
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("The audit log couldn't be loaded").waitFor();
    expect((await sentences(page)).length).toBeGreaterThan(0);
    expect(await findViolations(page)).toEqual([]);
    await page.unroute("**/api/v1/audit?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("The audit log couldn't be loaded").waitFor({ state: "detached" });
  });

  test("names whom and what a change was about, without the names of fields", async () => {
    const quota = { scope: "person", subject_id: boId, unit: "tokens", period: "day", amount: 1000 };
    const { id } = await asAdmin<{ id: string }>("POST", "/api/v1/quotas", quota);
    await asAdmin("PATCH", `/api/v1/quotas/${id}`, { amount: 2000 });
    const { id: group } = await asAdmin<{ id: string }>("POST", "/api/v1/groups/create", { name: "Pilots" });
    await asAdmin("POST", `/api/v1/groups/id/${group}/users/add`, { user_ids: [boId] });
    await asAdmin("POST", "/api/v1/auths/admin/config", { ENABLE_MESSAGE_RATING: false });
    const page = await open("/admin/audit");
    const said = await sentences(page);
    expect(said.slice(0, 5)).toEqual([
      "Ada Lindqvist changed the setting Ratings of answers",
      "Ada Lindqvist added people to Pilots",
      "Ada Lindqvist created the group Pilots",
      "Ada Lindqvist changed the quota of Bo Ek",
      "Ada Lindqvist set a quota for Bo Ek",
    ]);
    const rows = page.locator("tbody button[aria-expanded]");
    for (let at = 0; at < 5; at++) await rows.nth(at).click();
    await page.locator("tbody ins", { hasText: /2,?000/ }).waitFor();
    // The action and the ids at the end of an entry are for other programs; what changed is in words.
    const changes = await page.locator("tbody :is(dt, ins, del)").allInnerTexts();
    expect(changes.length).toBeGreaterThan(4);
    expect(changes.filter((text) => /\b[a-z]+_[a-z_]+\b/.test(text))).toEqual([]);
  });
});

describe("the page about provisioning", () => {
  test("shows the address, hints of tokens, what came in, what failed and why", async () => {
    const schemas = ["urn:ietf:params:scim:schemas:core:2.0:User"];
    const dan = { schemas, userName: "dan@harbour.example", name: { givenName: "Dan", familyName: "Holm" } };
    const { id } = await scim("POST", "/Users", dan);
    const patch = { op: "replace", path: "active", value: false };
    await scim("PATCH", `/Users/${String(id)}`, {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
      Operations: [patch],
    });
    await scim("POST", "/Users", dan);
    await scim("GET", "/Users?count=1", undefined, "wrong");

    const page = await open("/admin/scim");
    await page.getByText(`${parley.url}/api/v1/scim/v2`).waitFor();
    await page.getByText(`SCIM_TOKEN …${scimToken.slice(-4)}`).waitFor();
    expect(await page.content()).not.toContain(scimToken);
    await page.getByText("No sign-in provider is configured yet").waitFor();
    await expect.poll(async () => (await sentences(page)).length).toBe(4);
    const [refused, taken, off, added] = await sentences(page);
    expect(refused).toMatch(/^Provisioning was refused .*token/i);
    expect(taken).toMatch(/^Provisioning couldn't add an account .*already in use/);
    expect(off).toMatch(/^Provisioning deactivated Dan/);
    expect(added).toMatch(/^Provisioning added Dan/);
    await page.getByRole("button", { name: /^Provisioning deactivated Dan/ }).click();
    await page.getByText("was yes").waitFor({ state: "attached" });
    await page.getByText("became no").waitFor({ state: "attached" });
    expect(await findViolations(page)).toEqual([]);

    await page.getByRole("switch", { name: "Failures only" }).check();
    await expect.poll(async () => (await sentences(page)).length).toBe(2);
    await page.reload();
    await expect.poll(async () => (await sentences(page)).length).toBe(2);
    await expect.poll(() => page.getByRole("switch", { name: "Failures only" }).isChecked()).toBe(true);
  });

  test("while it is off, says how to switch it on", async () => {
    const page = await browser.openPage({ baseURL: parley.url, size: "phone" });
    await signInContext(page, parley.url, ada);
    await page.route("**/api/v1/auths/admin/scim", async (route) => {
      const response = await route.fetch();
      const json = { ...((await response.json()) as object), enabled: false, tokens: [], warnings: [] };
      await route.fulfill({ response, json });
    });
    await page.goto("/admin/scim");
    const variables = await page.getByRole("group", { name: "Variables" }).textContent();
    expect(variables).toMatch(/SCIM_ENABLED=true\s+SCIM_TOKEN=[\w-]{43}\s+SCIM_AUTH_PROVIDER=/);
    expect(await findViolations(page)).toEqual([]);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  });
});
