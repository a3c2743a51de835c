import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OidcProvider, startOidcProvider } from "../fixtures/oidc/start-oidc-provider.ts";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";

let parley: Parley;
let browser: TestBrowser;
let provider: OidcProvider;
let upstream: ReplayServer;

beforeAll(async () => {
  [provider, upstream, browser] = await Promise.all([
    startOidcProvider(),
    startReplayServer({ fixtures: ["openai", "mistral"] }),
    openBrowser(),
  ]);
  parley = await startParley({
    env: {
      ...provider.variables,
      OAUTH_PROVIDER_NAME: "Harbour ID",
      ENABLE_OAUTH_SIGNUP: "true",
      DEFAULT_USER_ROLE: "user",
      ENABLE_API_KEYS: "true",
    },
  });
  provider.register(parley.url);
  provider.addAccount("eva", { email: "eva@south.harbour.example", email_verified: true, name: "Eva Dahl" });
  const { token } = await signUpByApi(parley.url, ada);
  const connection = { name: "Harbour gateway", base_url: upstream.url };
  await callApi(parley.url, token, "POST", "/api/v1/connections", connection);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([parley.stop(), provider.close(), upstream.close()]);
});

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

async function makeOrganization(page: Page, name: string): Promise<void> {
  await page.goto("/admin/organizations");
  await page.getByRole("button", { name: "New organization" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill(name);
  await page.keyboard.press("Enter");
  await heading(page, name).waitFor();
}

async function modelsOf(key: string): Promise<string[]> {
  const { data } = await callApi<{ data: { id: string }[] }>(parley.url, key, "GET", "/api/models");
  return data.map(({ id }) => id);
}

test("a company's way: organization, rule and group; sign-in at the provider, a key, and a move that the key follows", async () => {
  const admin = await browser.openPage({ baseURL: parley.url });
  await signInContext(admin, parley.url, ada);
  await makeOrganization(admin, "Harbour south");
  await makeOrganization(admin, "Harbour north");
  await admin.getByLabel("Only selected models").check();
  await admin.getByRole("checkbox", { name: "mistral" }).check();
  await admin.getByRole("button", { name: "Save", exact: true }).click();
  await admin.getByText("The organization was saved.").waitFor();

  await pressLink(admin, "/admin/organizations/landing");
  await admin.getByRole("button", { name: "Add a rule" }).click();
  await admin.getByLabel("Domain").fill("south.harbour.example");
  await admin.getByLabel("Join", { exact: true }).selectOption("Harbour south");
  await admin.getByRole("button", { name: "Save rules" }).click();
  await admin.getByText("The rules were saved.").waitFor();

  await pressLink(admin, "/admin/groups");
  await admin.getByRole("button", { name: "New group" }).first().click();
  await admin.getByRole("dialog").getByLabel("Name").fill("Script writers");
  await admin.getByRole("dialog").getByRole("button", { name: "Create group" }).click();
  await admin.getByRole("switch", { name: "Use API keys" }).check();
  await admin.getByRole("button", { name: "Save", exact: true }).click();
  await admin.getByText("The group was saved.").waitFor();

  const eva = await browser.openPage({ baseURL: parley.url });
  await eva.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await eva.goto("/settings/keys");
  await eva.getByRole("link", { name: "Continue with Harbour ID" }).click();
  await eva.waitForURL(`${provider.issuer}/**`);
  await eva.locator("input[name=login]").fill("eva");
  await eva.locator("input[name=password]").fill("any");
  await eva.getByRole("button", { name: "Sign-in" }).click();
  await eva.getByRole("button", { name: "Continue" }).click();
  await heading(eva, "API keys").waitFor();
  await eva.getByText("Your account isn't allowed to use API keys.").waitFor();

  await admin.getByRole("button", { name: "Add people" }).click();
  const picker = admin.getByRole("dialog");
  await picker.getByRole("checkbox", { name: /Eva Dahl/ }).check();
  await picker.getByRole("button", { name: "Add 1 person" }).click();
  await admin.getByRole("row").filter({ hasText: "eva@south.harbour.example" }).waitFor();

  // The page hears of it by itself.
  await eva.getByRole("button", { name: "New key" }).first().click();
  await eva.keyboard.type("Night report");
  await eva.keyboard.press("Enter");
  await eva.getByRole("dialog").getByRole("button", { name: "Copy" }).first().click();
  const key = await eva.evaluate(() => navigator.clipboard.readText());
  await eva.getByRole("dialog").getByRole("button", { name: "I have copied it" }).click();
  expect(await eva.content()).not.toContain(key);
  expect((await modelsOf(key)).length).toBeGreaterThan(1);

  await pressLink(admin, "/admin/people");
  const row = admin.getByRole("row").filter({ hasText: "eva@south.harbour.example" });
  await row.getByText("Harbour south").waitFor();
  await admin.getByRole("button", { name: "Actions for Eva Dahl" }).click();
  await admin.getByRole("menuitem", { name: "Move to another organization" }).click();
  const move = admin.getByRole("dialog", { name: "Move Eva Dahl" });
  await move.getByLabel("New organization").selectOption("Harbour north");
  await move.getByRole("button", { name: "Move" }).click();
  await row.getByText("Harbour north").waitFor();
  await expect.poll(() => modelsOf(key)).toEqual(["mistral"]);
});
