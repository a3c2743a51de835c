import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OidcProvider, startOidcProvider } from "../fixtures/oidc/start-oidc-provider.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, fillSignIn, signInAnew, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";

let parley: Parley;
let browser: TestBrowser;
let provider: OidcProvider;

beforeAll(async () => {
  provider = await startOidcProvider();
  const env: Record<string, string> = {
    ...provider.variables,
    OAUTH_PROVIDER_NAME: "Harbour ID",
    ENABLE_OAUTH_SIGNUP: "true",
    DEFAULT_USER_ROLE: "user",
  };
  [parley, browser] = await Promise.all([startParley({ env }), openBrowser()]);
  provider.register(parley.url);
  // Where the provider sends people after it has signed them out; known only now.
  env["WEBUI_AUTH_SIGNOUT_REDIRECT_URL"] = `${parley.url}/sign-in?signed_out`;
  await parley.restart();
  provider.addAccount("carla", { email: "carla@harbour.example", email_verified: true, name: "Carla Berg" });
  provider.addAccount("dan", { email: "dan@harbour.example", email_verified: true, name: "Dan Holm" });
  // Somebody with the administrator's address, who is not the administrator.
  provider.addAccount("eve", { email: ada.email, email_verified: true, name: "Eve" });
  await signUpByApi(parley.url, ada);
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
  await provider.close();
});

const open = (size: "desktop" | "phone" = "desktop"): Promise<Page> => browser.openPage({ baseURL: parley.url, size });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const goOn = (page: Page) => page.getByRole("link", { name: "Continue with Harbour ID" });

/** On the provider's own pages: signs in, and agrees or cancels. */
async function signInThere(page: Page, login: string, agrees = true): Promise<void> {
  await page.waitForURL(`${provider.issuer}/**`);
  await page.locator("input[name=login]").fill(login);
  await page.locator("input[name=password]").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  if (agrees) await page.getByRole("button", { name: "Continue" }).click();
  else await page.getByRole("link", { name: /Cancel/ }).click();
}

/** Answers `/api/config` with something changed, and as late as wished. */
async function changeConfig(page: Page, oauth: object, features: object, wait?: Promise<void>): Promise<void> {
  await page.route("**/api/config", async (route) => {
    const response = await route.fetch();
    const config = (await response.json()) as { oauth: object; features: object };
    await wait;
    const json = { ...config, oauth: { ...config.oauth, ...oauth }, features: { ...config.features, ...features } };
    await route.fulfill({ response, json });
  });
}

test("a person signs in with the provider, lands where they wanted to go, and signs out on both sides", async () => {
  const page = await open();
  await page.goto("/settings/sessions");
  await heading(page, "Sign in").waitFor();
  // By keyboard: the button stands before the form.
  await goOn(page).focus();
  await page.keyboard.press("Enter");
  await signInThere(page, "carla");
  await heading(page, "Sessions").waitFor();
  expect(page.url()).toBe(`${parley.url}/settings/sessions`);
  await page.getByRole("button", { name: "Account of Carla Berg" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(`${provider.issuer}/**`);
  await page.getByRole("button", { name: /Yes/ }).click();
  await heading(page, "Sign in").waitFor();
  await page.getByText("You are signed out.").waitFor();
  expect((await page.context().request.get(`${parley.url}/api/v1/auths/`)).status()).toBe(401);
});

test("who cancels there is told so here, tries again, and still lands where they wanted to go", async () => {
  const page = await open("phone");
  await page.goto("/settings/appearance");
  await goOn(page).click();
  await signInThere(page, "dan", false);
  await page.getByRole("alert").getByText("or you cancelled it").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await goOn(page).click();
  await page.waitForURL(`${provider.issuer}/**`);
  await page.getByRole("button", { name: "Continue" }).click();
  await heading(page, "Appearance").waitFor();
});

test("an address that belongs to somebody is not taken over; the person reads what to do, the log says why", async () => {
  const page = await open();
  await page.goto("/sign-in");
  await goOn(page).click();
  await signInThere(page, "eve");
  await page.getByText("An account with your e-mail address already exists").waitFor();
  await fillSignIn(page, ada);
  await page.getByRole("textbox", { name: /message|ask/i }).waitFor();

  await page.goto("/admin/sso");
  await page.getByText("Reachable", { exact: true }).waitFor();
  await page.getByRole("group", { name: "Callback address to register at the provider" }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("link", { name: "Show failures and their reasons" }).click();
  await heading(page, "Audit").waitFor();
  await page
    .getByRole("button", { name: /ada@harbour\.example couldn't sign in through the identity provider/ })
    .waitFor();
});

describe("without a form", () => {
  test("the provider's button is all there is, and the main one", async () => {
    const page = await open("phone");
    await changeConfig(page, {}, { enable_login_form: false, enable_signup: false });
    await page.goto("/sign-in?error=sso_no_account&next=/settings");
    await page.getByText("Ask your administrator to add you.").waitFor();
    await expect.poll(() => page.getByLabel("E-mail").count()).toBe(0);
    await expect.poll(() => page.getByRole("link", { name: "Create an account" }).count()).toBe(0);
    await expect.poll(() => goOn(page).getAttribute("href")).toBe("/oauth/oidc/login?next=%2Fsettings");
    expect(await findViolations(page)).toEqual([]);
  });

  test("the page goes on by itself where that is set, but not after signing out, and not in circles", async () => {
    const page = await open();
    await changeConfig(page, { auto_redirect: true }, { enable_login_form: false });
    await page.goto("/sign-in?signed_out=1");
    await page.getByText("You are signed out.").waitFor();
    await goOn(page).waitFor();
    await page.goto("/settings");
    await page.waitForURL(`${provider.issuer}/**`);
    // Who comes back without having signed in is not sent away again at once.
    await page.goto("/sign-in");
    await goOn(page).waitFor();
    expect(new URL(page.url()).pathname).toBe("/sign-in");
  });
});

test("the first account may be made with a password or through the provider", async () => {
  const page = await open();
  await page.route("**/api/config", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { onboarding: true, ...((await response.json()) as object) } });
  });
  await page.goto("/");
  await heading(page, "Create the first account").waitFor();
  await expect.poll(() => goOn(page).count()).toBe(1);
});

test("however late the settings come, nothing breaks meanwhile", async () => {
  const page = await open();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  let arrive = (): void => {};
  await changeConfig(page, {}, {}, new Promise((resolve) => (arrive = resolve)));
  await page.goto("/sign-in");
  await expect.poll(() => goOn(page).count()).toBe(0);
  arrive();
  await goOn(page).waitFor();
  expect(errors).toEqual([]);
});

test("a session that ended is renewed through the provider in another tab; what was typed is saved", async () => {
  const page = await open();
  await page.goto("/settings");
  await goOn(page).click();
  await signInThere(page, "carla");
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Carla B.");
  const { token } = (await (await page.context().request.get(`${parley.url}/api/v1/auths/`)).json()) as {
    token: string;
  };
  await callApi(parley.url, token, "POST", "/api/v1/auths/signout", {});
  // The page hears of it at once.
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  const [tab] = await Promise.all([
    page.context().waitForEvent("page"),
    dialog.getByRole("link", { name: "Continue with Harbour ID in a new tab" }).click(),
  ]);
  // The provider still knows who it is.
  await tab.waitForURL(`${parley.url}/`);
  await tab.close();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await expect.poll(() => name.inputValue()).toBe("Carla B.");
});

test("while the provider is away, people read so, and administrators read why", async () => {
  await provider.close();
  // What it said of itself is kept for a while; not over a start.
  await parley.restart();
  const page = await open();
  await page.goto("/sign-in");
  await goOn(page).click();
  await page.getByText("The provider couldn't be reached").waitFor();
  await signInAnew(page, parley.url, ada);
  await page.goto("/admin/sso");
  await page.getByText("Not reachable").waitFor();
  await page.getByText("Nobody can sign in with it until this is fixed:").waitFor();
  await page.goto("/admin/audit?failed=1");
  await page.getByRole("table").waitFor();
  const [newest] = await page.getByRole("button", { name: /couldn't sign in/ }).allTextContents();
  expect(newest).toContain("cannot be reached");
  // For the end of this file to close.
  provider = await startOidcProvider();
});
