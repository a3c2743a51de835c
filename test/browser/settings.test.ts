import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, signInAnew, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";

let parley: Parley;
let browser: TestBrowser;
let person = 0;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley({ env: { DEFAULT_USER_ROLE: "user" } }), openBrowser()]);
  await signUpByApi(parley.url, ada);
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
});

/** A page of somebody new, with their token. */
async function open(path: string, signIn = signInContext): Promise<{ page: Page; account: typeof ada; token: string }> {
  person += 1;
  const account = { name: `Deckhand ${person}`, email: `deck${person}@harbour.example`, password: "a long password" };
  const { token } = await signUpByApi(parley.url, account);
  const page = await browser.openPage({ baseURL: parley.url });
  await signIn(page, parley.url, account);
  await page.goto(path);
  return { page, account, token };
}
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true });

test("a new name shows everywhere at once, and can be undone", async () => {
  const { page, account } = await open("/settings");
  const name = page.getByLabel("Name", { exact: true });
  await name.fill(" ");
  await save(page).click();
  await expect.poll(() => name.getAttribute("aria-invalid")).toBe("true");
  await name.fill("First Mate");
  await save(page).click();
  await page.getByRole("button", { name: "Account of First Mate" }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: `Account of ${account.name}` }).waitFor();
  await expect.poll(() => name.inputValue()).toBe(account.name);
});

test("a picture is made small and square before it is stored, and can be removed", async () => {
  const { page } = await open("/settings");
  await expect.poll(() => page.getByRole("button", { name: "Remove the picture" }).count()).toBe(0);
  const wide = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    canvas.width = 1200;
    canvas.height = 400;
    const context = canvas.getContext("2d");
    if (context) {
      context.fillStyle = "teal";
      context.fillRect(0, 0, 1200, 400);
    }
    return canvas.toDataURL("image/png").split(",")[1] ?? "";
  });
  await page
    .getByLabel("Choose a picture")
    .last()
    .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: Buffer.from(wide, "base64") });
  await page.getByText("Changed: Picture").waitFor();
  await save(page).click();
  await page.getByRole("button", { name: "Remove the picture" }).waitFor();
  const stored = async () => {
    const { profile_image_url: address } = (await (
      await page.context().request.get(`${parley.url}/api/v1/auths/`)
    ).json()) as { profile_image_url: string };
    return page.context().request.get(parley.url + address);
  };
  const picture = await stored();
  expect(picture.headers()["content-type"]).toBe("image/webp");
  expect((await picture.body()).length).toBeLessThan(20_000);

  await page
    .getByLabel("Choose a picture")
    .last()
    .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: Buffer.from("not a picture") });
  await page.getByText("This picture can't be used.").waitFor();
  await page.getByRole("button", { name: "Remove the picture" }).click();
  await save(page).click();
  await expect.poll(async () => (await stored()).headers()["content-type"]).toBe("image/svg+xml");
});

test("a new password needs the current one, ends the other sessions, and keeps this one", async () => {
  const { page, account, token } = await open("/settings/password", signInAnew);
  const fill = async (current: string, next: string) => {
    await page.getByLabel("Current password").fill(current);
    await page.getByLabel("New password").fill(next);
    await page.getByRole("button", { name: "Change password" }).click();
  };
  await fill("wrong", "another long password");
  await page.getByText("That is not your current password.").first().waitFor();
  await fill(account.password, "short");
  await page.getByText("Use at least 8 characters.").first().waitFor();
  await fill(account.password, "another long password");
  await page.getByText("Your password was changed.").waitFor();
  await expect.poll(() => page.getByLabel("Current password").inputValue()).toBe("");
  await expect(callApi(parley.url, token, "GET", "/api/v1/auths/")).rejects.toThrow("401");
  await pressLink(page, "/settings/sessions");
  await page.getByText("This browser").waitFor();
  await page.getByText("You are not signed in anywhere else.").waitFor();
});

test("other sessions are listed and ended, one by one and all at once", async () => {
  const { page, account, token } = await open("/settings/sessions", signInAnew);
  const sign = () =>
    callApi<{ token: string }>(parley.url, "", "POST", "/api/v1/auths/signin", {
      email: account.email,
      password: account.password,
    });
  const second = await sign();
  await page.reload();
  // The second list is that of the latest sign-ins.
  const sessions = page.getByRole("list").first().getByRole("listitem");
  await expect.poll(() => sessions.count()).toBe(3);
  await page
    .getByRole("button", { name: /^End the session of/ })
    .last()
    .click();
  await expect.poll(() => sessions.count()).toBe(2);
  await sign();
  await page.reload();
  await page.getByRole("button", { name: "End 2 other sessions" }).click();
  await page
    .getByRole("dialog", { name: "End all other sessions?" })
    .getByRole("button", { name: "End 2 other sessions" })
    .click();
  await page.getByText("You are not signed in anywhere else.").waitFor();
  for (const other of [token, second.token])
    await expect(callApi(parley.url, other, "GET", "/api/v1/auths/")).rejects.toThrow("401");
});

test("a banner stands above every page until it is closed, and comes back when it changes", async () => {
  const page = await browser.openPage({ baseURL: parley.url });
  await signInContext(page, parley.url, ada);
  await page.goto("/admin/settings");
  const form = page.getByRole("form", { name: "Banners" });
  await form.getByText("There are no banners.").waitFor();
  await form.getByRole("button", { name: "Add a banner" }).press("Enter");
  await save(page).click();
  await form.getByText("Write what the banner should say.").first().waitFor();
  await form.getByLabel("Kind").selectOption("warning");
  await form.getByLabel("Title (optional)").fill("Harbour");
  await form.getByLabel("Text").fill("Closed on **Sunday**, see [why](https://harbour.example)");
  await save(page).click();
  const notices = page.getByRole("region", { name: "Notices" });
  await notices.getByText("Sunday").waitFor();

  const phone = await open("/settings");
  await phone.page.setViewportSize({ width: 390, height: 800 });
  const seen = phone.page.getByRole("region", { name: "Notices" });
  await expect.poll(() => seen.getByRole("link", { name: "why" }).getAttribute("href")).toBe("https://harbour.example");
  await phone.page.getByRole("heading", { level: 1 }).waitFor();
  expect(await findViolations(phone.page)).toEqual([]);
  await seen.getByRole("button", { name: "Close the notice Harbour" }).press("Enter");
  await seen.waitFor({ state: "detached" });
  await phone.page.goto("/");
  await phone.page.locator("textarea").waitFor();
  await expect.poll(() => seen.count()).toBe(0);

  await form.getByRole("switch", { name: /People can close it/ }).click();
  // A time stamp has seconds.
  await page.clock.install({ time: Date.now() + 5000 });
  const stored = page.waitForResponse((response) => response.request().method() === "POST");
  await save(page).click();
  expect((await stored).ok()).toBe(true);
  await phone.page.reload();
  await seen.getByText("Sunday").waitFor();
  await expect.poll(() => seen.getByRole("button").count()).toBe(0);

  // Somebody else has changed it, which is not taken back unseen.
  const path = "/api/v1/configs/banners";
  const { token } = await callApi<{ token: string }>(parley.url, "", "POST", "/api/v1/auths/signin", ada);
  const [banner] = await callApi<object[]>(parley.url, token, "GET", path);
  await callApi(parley.url, token, "POST", path, { banners: [{ ...banner, content: "Open again" }] });
  await form.getByRole("button", { name: "Remove banner 1" }).click();
  await save(page).click();
  await form.getByText("Someone else changed this at the same time.").waitFor();
  await page.reload();
  await notices.getByText("Open again").waitFor();
  await form.getByRole("button", { name: "Remove banner 1" }).click();
  await save(page).click();
  await notices.waitFor({ state: "detached" });
});
