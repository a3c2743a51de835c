import { spawnSync } from "node:child_process";
import path from "node:path";
import process from "node:process";
import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { type Account, ada, callApi, fillSignIn, signInAnew, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";
import { takePicture } from "./take-picture.ts";

const bo: Account = { name: "Bo Ek", email: "bo@harbour.example", password: "another long password" };

let parley: Parley;
let browser: TestBrowser;
/** Passkeys belong to a host name: an address such as 127.0.0.1 has none. */
let url: string;
let admin: { id: string; token: string };

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), openBrowser()]);
  url = parley.url.replace("127.0.0.1", "localhost");
  admin = await signUpByApi(parley.url, ada);
  await callApi(parley.url, admin.token, "POST", "/api/v1/auths/add", { ...bo, role: "user" });
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
});

/** A page whose browser has an authenticator in software, which confirms by itself. */
async function openWithAuthenticator(
  size: "desktop" | "phone",
): Promise<{ page: Page; devtools: CDPSession; id: string }> {
  const page = await browser.openPage({ baseURL: url, size });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId: id } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { page, devtools, id };
}

const composer = (page: Page) => page.getByRole("textbox", { name: /message|ask/i });

test("a passkey is added by keyboard on a phone, signs in without the password, and finishes a sign-in with it", async () => {
  const { page, devtools, id } = await openWithAuthenticator("phone");
  await signInAnew(page, url, bo);
  await page.goto("/settings/second-factor");
  await page.getByRole("button", { name: "Add a passkey" }).focus();
  await page.keyboard.press("Enter");
  const name = page.getByLabel("Name of the passkey", { exact: true });
  await expect.poll(() => name.inputValue()).toMatch(/^Chrome on/);
  await name.fill("My phone");
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "passkey-add-phone");
  // The first of the page: the other one sets an app up.
  const typed = page.getByLabel("Your password", { exact: true }).first();
  await typed.fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByText("That is not your password.").waitFor();
  await typed.fill(bo.password);
  await page.keyboard.press("Enter");
  await page.getByText("They are shown only once.").waitFor();
  await page.getByText("My phone", { exact: true }).waitFor();
  await page.getByText("Not used yet").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "passkey-list-phone");
  const { credentials } = await devtools.send("WebAuthn.getCredentials", { authenticatorId: id });
  expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: "localhost", userName: bo.email }]);

  await page.getByRole("button", { name: "Rename My phone" }).click();
  await page.getByRole("dialog").getByLabel("Name of the passkey", { exact: true }).fill("Blue phone");
  await page.keyboard.press("Enter");
  await page.getByText("Blue phone", { exact: true }).waitFor();

  // The browser offers it with the field for the name, and the authenticator confirms at once.
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await composer(page).waitFor();

  // A browser that offers nothing by itself has the button.
  await page.context().clearCookies();
  await page.addInitScript("PublicKeyCredential.isConditionalMediationAvailable = async () => false;");
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in with a passkey" }).focus();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "passkey-sign-in-phone");
  await page.keyboard.press("Enter");
  await composer(page).waitFor();

  await page.context().clearCookies();
  await page.goto("/sign-in");
  await fillSignIn(page, bo);
  await page.getByText("Confirm with a passkey, or enter one of your recovery codes.").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "passkey-second-step-phone");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await composer(page).waitFor();
});

test("an organization requires a second factor: a passkey is added before anything else, and administrators see it", async () => {
  const grace: Account = { name: "Grace Hill", email: "grace@harbour.example", password: "a third long password" };
  await callApi(parley.url, admin.token, "POST", "/api/v1/auths/add", { ...grace, role: "user" });
  const { id: pier } = await callApi<{ id: string }>(parley.url, admin.token, "POST", "/api/v1/organizations", {
    name: "Pier",
  });
  const { users } = await callApi<{ users: { id: string }[] }>(
    parley.url,
    admin.token,
    "GET",
    "/api/v1/users/?query=grace",
  );
  await callApi(parley.url, admin.token, "POST", `/api/v1/organizations/${pier}/members`, { user_ids: [users[0]!.id] });

  const office = await browser.openPage({ baseURL: url });
  await signInAnew(office, url, ada);
  await office.goto(`/admin/organizations/${pier}`);
  await office.getByRole("switch", { name: "Require a second factor" }).click();
  await office.getByRole("button", { name: "Save", exact: true }).click();
  await office.getByText("The organization was saved.").waitFor();
  expect(await findViolations(office)).toEqual([]);
  await office.getByRole("switch", { name: "Require a second factor" }).scrollIntoViewIfNeeded();
  await takePicture(office, "organization-factor");

  const { page } = await openWithAuthenticator("desktop");
  await signInAnew(page, url, grace);
  await page.goto("/settings");
  await page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "factor-required");
  await page.getByLabel("Your password", { exact: true }).fill(grace.password);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("button", { name: "I have saved them" }).click();
  await page.getByRole("heading", { name: "Profile" }).waitFor();

  await office.goto("/admin/people?second_factor=true");
  await office.getByRole("link", { name: grace.name }).waitFor();
  await expect.poll(() => office.getByRole("link", { name: ada.name }).count()).toBe(0);
  await expect.poll(() => office.getByText("Has a second factor").count()).toBeGreaterThan(0);
  await office.getByRole("link", { name: grace.name }).click();
  await office.getByText("1 passkey", { exact: true }).waitFor();
  expect(await findViolations(office)).toEqual([]);
  await takePicture(office, "people-factor");
  await office.getByRole("button", { name: "Reset second factor" }).click();
  await office.getByRole("dialog").getByRole("button", { name: "Reset second factor" }).click();
  await office.getByText("Not set up", { exact: true }).waitFor();
});

test("the operator's commands make a link for a new password, and remove passkeys that are lost", async () => {
  const run = (...words: string[]) => {
    const root = path.resolve(import.meta.dirname, "../..");
    const { status, stdout, stderr } = spawnSync("sh", ["scripts/with-node.sh", "scripts/admin.ts", ...words], {
      cwd: root,
      env: { ...process.env, DATA: parley.dataDir, NODE_NO_WARNINGS: "1" },
      encoding: "utf8",
    });
    return { code: status, said: stdout + stderr };
  };
  const signIn = async (password: string) => {
    const response = await fetch(`${parley.url}/api/v1/auths/signin`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: bo.email, password }),
    });
    return ((await response.json()) as { code?: string }).code ?? response.status;
  };
  const made = run("reset-link", bo.email);
  expect(made).toMatchObject({
    code: 0,
    said: expect.stringContaining(`Send this link to ${bo.email}: http`) as string,
  });
  const token = /\/new-password#(\S+)/.exec(made.said)?.[1];
  await callApi(parley.url, admin.token, "POST", "/api/v1/auths/password/reset", {
    token,
    password: "a fourth password",
  });
  expect(await signIn("a fourth password")).toBe("second_factor_required");
  expect(run("reset-second-factor", bo.email)).toEqual({
    code: 0,
    said: `${bo.email} has no second factor now.\n`,
  });
  expect(await signIn("a fourth password")).toBe(200);
  expect(run("reset-second-factor", "nobody@harbour.example")).toEqual({
    code: 65,
    said: "No account has the address nobody@harbour.example.\n",
  });
  expect(run("reset-link")).toMatchObject({ code: 64 });
});
