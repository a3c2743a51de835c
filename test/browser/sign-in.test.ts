import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, fillSignIn, fillSignUp, signInAnew, signUpByApi } from "./accounts.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";

const bo = { name: "Bo Ek", email: "bo@harbour.example", password: "another long password" };
let parley: Parley;
let browser: TestBrowser;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), openBrowser()]);
  await signUpByApi(parley.url, ada);
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
});

const open = (size: "desktop" | "phone" = "desktop"): Promise<Page> => browser.openPage({ baseURL: parley.url, size });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

test("what is missing is said beside its field, and the first such field has the focus", async () => {
  const page = await open();
  await page.goto("/sign-up");
  await page.getByRole("button", { name: "Create account" }).click();
  const name = page.getByLabel("Name", { exact: true });
  await expect.poll(() => name.getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.getByText("Use at least 8 characters.").waitFor();
  await name.fill("B");
  await expect.poll(() => name.getAttribute("aria-invalid")).toBeNull();
});

test("a wrong password and an unknown address are answered with the same sentence", async () => {
  const page = await open();
  // As people of an Open WebUI have it in their bookmarks.
  await page.goto("/auth");
  const alert = page.getByRole("alert");
  await fillSignIn(page, { email: ada.email, password: "wrong" });
  await alert.waitFor();
  const wrong = await alert.textContent();
  const answered = page.waitForResponse((response) => response.url().endsWith("/signin"));
  await fillSignIn(page, { email: "nobody@harbour.example", password: "wrong" });
  expect((await answered).request().postDataJSON()).toMatchObject({ email: "nobody@harbour.example" });
  await alert.waitFor();
  expect(wrong).toBe("Wrong e-mail or password.");
  await expect.poll(() => alert.textContent()).toBe(wrong);
});

test("too many tries show how long to wait, counting down", async () => {
  const page = await open();
  await page.route("**/api/v1/auths/signin", (route) =>
    route.fulfill({
      status: 429,
      headers: { "retry-after": "2" },
      contentType: "application/problem+json",
      body: JSON.stringify({ code: "too_many_requests", detail: "slow" }),
    }),
  );
  await page.goto("/sign-in");
  await fillSignIn(page, ada);
  await page.getByText("You can try again in 2 seconds").waitFor();
  const button = page.getByRole("button", { name: "Sign in", exact: true });
  await expect.poll(() => button.isDisabled()).toBe(true);
  await page.getByText("You can try again in 1 second.").waitFor();
  await expect.poll(() => button.isEnabled()).toBe(true);
});

test("an address that needs a sign-in is where one lands after it, and nowhere else", async () => {
  const page = await open();
  await page.goto("/settings/sessions");
  await heading(page, "Sign in").waitFor();
  await fillSignIn(page, ada);
  await heading(page, "Sessions").waitFor();
  expect(new URL(page.url()).pathname).toBe("/settings/sessions");
  await page.goto("/sign-in?next=//evil.example/");
  await expect.poll(() => page.url()).toBe(`${parley.url}/`);
});

test("a later account waits, and goes on by itself when an administrator lets it in", async () => {
  const page = await open("phone");
  await page.goto("/sign-up");
  await fillSignUp(page, bo);
  await heading(page, "Your account is waiting for approval").waitFor();
  await page.getByRole("link", { name: ada.email }).waitFor();
  await page.goto("/admin/people");
  await heading(page, "Your account is waiting for approval").waitFor();

  const admin = await open();
  await signInAnew(admin, parley.url, ada);
  await admin.goto("/admin/people");
  await admin.getByRole("button", { name: `Approve ${bo.name}` }).click();
  await admin.getByText(`The role of ${bo.name} is now Member.`).waitFor();

  await page.getByRole("textbox", { name: /message|ask/i }).waitFor();
  await page.goto("/admin");
  await heading(page, "Administrators only").waitFor();
  expect(new URL(page.url()).pathname).toBe("/admin");
});

test("a session that ended elsewhere is renewed in place; what was typed stays and is sent", async () => {
  const page = await open();
  // Where no events get through at all, a refused request is how the page hears of it.
  await page.routeWebSocket(/\/api\/v1\/events/, (socket) => socket.close());
  await page.route(/\/api\/v1\/events\/stream/, (route) => route.abort());
  await signInAnew(page, parley.url, ada);
  await page.goto("/settings");
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Ada L.");
  const { token } = (await (await page.context().request.get(`${parley.url}/api/v1/auths/`)).json()) as {
    token: string;
  };
  await callApi(parley.url, token, "POST", "/api/v1/auths/signout", {});
  await page.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.waitFor();
  const password = dialog.getByLabel("Password", { exact: true });
  await expect.poll(() => password.evaluate((field) => field === document.activeElement)).toBe(true);
  await password.fill(ada.password);
  await dialog.getByRole("button", { name: "Sign in and continue" }).click();
  await page.getByText("Saved.").waitFor();
  await expect.poll(() => name.inputValue()).toBe("Ada L.");
  await page.getByRole("button", { name: /Account of Ada L\./ }).waitFor();
});

test("signing out ends the session and leaves nothing of the person on the page", async () => {
  const page = await open();
  await signInAnew(page, parley.url, ada);
  await page.goto("/settings");
  await page.getByRole("button", { name: /Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await heading(page, "Sign in").waitFor();
  expect(await page.content()).not.toContain(ada.email);
  const again = await page.context().request.get(`${parley.url}/api/v1/auths/`);
  expect(again.status()).toBe(401);
});

test("where sign-up is off, the page says so instead of offering it", async () => {
  const { token } = await callApi<{ token: string }>(parley.url, "", "POST", "/api/v1/auths/signin", {
    email: ada.email,
    password: ada.password,
  });
  await callApi(parley.url, token, "POST", "/api/v1/auths/admin/config", { ENABLE_SIGNUP: false });
  const page = await open();
  await page.goto("/sign-up");
  await page.getByText("Only administrators can create accounts.").waitFor();
  await expect.poll(() => page.getByLabel("E-mail").count()).toBe(0);
  await page.goto("/sign-in");
  await heading(page, "Sign in").waitFor();
  await expect.poll(() => page.getByRole("link", { name: "Create an account" }).count()).toBe(0);
  await callApi(parley.url, token, "POST", "/api/v1/auths/admin/config", { ENABLE_SIGNUP: true });
});

test("the chosen theme is there before the first paint, after a reload and in a second tab", async () => {
  const page = await open();
  await signInAnew(page, parley.url, ada);
  await page.goto("/settings/appearance");
  await page.getByRole("radio", { name: /^Dark/ }).check();
  const second = await browser.openPage({ baseURL: parley.url, context: page.context() });
  // The frame's own script never arrives: what is set then, was set before it.
  await second.route("**/assets/*.js", (route) => route.abort());
  await second.goto("/");
  await expect.poll(() => second.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
});

test("while the service is away, the page says so, and goes on by itself", async () => {
  const page = await open();
  await signUpByApi(parley.url, { name: "Carla", email: "carla@harbour.example", password: "a third password" });
  await signInAnew(page, parley.url, ada);
  let away = true;
  await page.route(/\/(api|health)\b/, (route) => (away ? route.abort() : route.continue()));
  await page.goto("/settings");
  await heading(page, "Parley isn't responding").waitFor();
  away = false;
  await heading(page, "Profile").waitFor();
  away = true;
  await page.getByRole("link", { name: "Sessions" }).click();
  await page.getByText("No connection to Parley.").waitFor();
  away = false;
  await page.getByText("This browser").waitFor();
  await expect.poll(() => page.getByText("No connection to Parley.").count()).toBe(0);
});
