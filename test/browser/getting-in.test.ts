import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { totpCode } from "../../src/people/auth/second-factor/totp.ts";
import { linkIn, type MailServerFixture, startMailServer } from "../fixtures/mail/start-mail-server.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { type Account, ada, callApi, fillSignIn, newAccount, signInAnew, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";
import { takePicture } from "./take-picture.ts";

let parley: Parley;
let browser: TestBrowser;
let mail: MailServerFixture;
let admin: { id: string; token: string };

beforeAll(async () => {
  mail = await startMailServer();
  [parley, browser] = await Promise.all([
    startParley({ env: { SMTP_FROM: "parley@harbour.example", SMTP_SECURITY: "none", ENABLE_SIGNUP: "false" } }),
    openBrowser(),
  ]);
  admin = await signUpByApi(parley.url, ada);
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
  await mail.close();
});

const open = (size: "desktop" | "phone" = "desktop"): Promise<Page> => browser.openPage({ baseURL: parley.url, size });
const call = <T>(method: string, path: string, body?: object) =>
  callApi<T>(parley.url, admin.token, method, path, body);
/** Has the mail server set, or none. */
const setMail = (isOn: boolean) =>
  call("POST", "/api/v1/auths/admin/config", { SMTP_HOST: isOn ? "127.0.0.1" : "", SMTP_PORT: mail.port });
/** Somebody with an account. */
async function newcomer(role: "user" | "admin"): Promise<Account> {
  const person = newAccount("Bo Ek");
  await call("POST", "/api/v1/auths/add", { ...person, role });
  return person;
}
const linkShown = async (page: Page) => linkIn((await page.getByRole("dialog").locator("code").textContent()) ?? "");

test("an administrator sets the mail server, sees why a test fails, and then that it works", async () => {
  await setMail(false);
  const page = await open();
  await signInAnew(page, parley.url, ada);
  await page.goto("/admin/mail");
  await page.getByText("No e-mails are sent: set a mail server").waitFor();
  await page.getByRole("textbox", { name: "Mail server" }).fill("127.0.0.1");
  await page.getByLabel("Port", { exact: true }).fill("1");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("E-mails are sent.", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Send test e-mail" }).click();
  await page.getByText("127.0.0.1 cannot be reached on port 1").waitFor();
  await page.getByLabel("Port", { exact: true }).fill(String(mail.port));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Save", exact: true }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Send test e-mail" }).click();
  await page.getByText(`The mail server took the message for ${ada.email}`).waitFor();
  await page.getByText("The whole conversation").click();
  await page.getByText("EHLO harbour.example").waitFor();
  expect(mail.received.at(-1)?.subject).toBe("Test from Parley");
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "mail");
});

test("an invitation is made, copied, used on a phone by somebody who chooses a password, and listed as used", async () => {
  const page = await open();
  await signInAnew(page, parley.url, ada);
  await page.goto("/admin/people");
  await page.getByRole("button", { name: "Invite" }).click();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "invite");
  await page.getByRole("button", { name: "Make invitation" }).click();
  await page.getByText("It is shown only once").waitFor();
  const { token } = await linkShown(page);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("cell", { name: "Anyone with the link", exact: true }).waitFor();
  await takePicture(page, "people");

  const phone = await open("phone");
  await phone.goto(`/join#${token}`);
  await phone.getByText(`${ada.name} invites you to make an account.`).waitFor();
  expect(await findViolations(phone)).toEqual([]);
  await takePicture(phone, "join-phone");
  await phone.getByRole("button", { name: "Create account" }).click();
  await phone.getByText("Enter your name.").waitFor();
  await phone.getByLabel("Name", { exact: true }).fill("Bo Ek");
  await fillSignIn(phone, { email: "bo@harbour.example", password: "another long password" }, "Create account");
  await phone.getByRole("textbox", { name: /message|ask/i }).waitFor();
  expect(new URL(phone.url()).hash).toBe("");

  await page.reload();
  await page.getByText("Used by Bo Ek").waitFor();
  const late = await open("phone");
  await late.goto(`/join#${token}`);
  await late.getByRole("heading", { name: "This invitation can't be used" }).waitFor();
});

test("an invitation can be taken back before somebody uses it", async () => {
  await call("POST", "/api/v1/invitations", { email: "eve@harbour.example" });
  const page = await open();
  await signInAnew(page, parley.url, ada);
  await page.goto("/admin/people");
  await page.getByRole("button", { name: "Take back the invitation for eve@harbour.example" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Take back", exact: true }).click();
  await page.getByText("The invitation was taken back.").waitFor();
  await expect.poll(() => page.getByRole("cell", { name: "Taken back" }).count()).toBe(1);
});

test("many are invited at once by e-mail; those who cannot be are named and stay in the field", async () => {
  await setMail(true);
  const { id: group } = await call<{ id: string }>("POST", "/api/v1/groups/create", { name: "Pilots" });
  const { id: organization } = await call<{ id: string }>("POST", "/api/v1/organizations", { name: "North pier" });
  mail.received.length = 0;
  const page = await open();
  await signInAnew(page, parley.url, ada);
  await page.goto("/admin/people");
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog");
  const field = dialog.getByRole("textbox", { name: "E-mail addresses (optional)" });
  await field.fill(`"Moe, Cy" <cy@harbour.example>, dan@harbour.example\nnobody; ${ada.email}`);
  await dialog.getByLabel("Organization").selectOption("North pier");
  await dialog.getByRole("checkbox", { name: "Pilots" }).check();
  await dialog.getByRole("button", { name: "Make 4 invitations" }).click();
  await dialog.getByText("E-mails with the links are on their way to 2 people.").waitFor();
  await dialog.getByText("nobody: not an e-mail address").waitFor();
  await dialog.getByText(`${ada.email}: has an account already`).waitFor();
  await expect.poll(() => field.inputValue()).toBe(`nobody\n${ada.email}`);
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "invite-many");
  await page.setViewportSize({ width: 390, height: 844 });
  await takePicture(page, "invite-many-phone");
  await page.setViewportSize({ width: 1280, height: 800 });
  await field.fill("nobody@harbour.example");
  await dialog.getByRole("button", { name: "Make invitation" }).click();
  await dialog.getByRole("heading", { name: "3 invitations are ready" }).waitFor();
  await expect
    .poll(async () => (await dialog.locator("code").innerText()).split("\n").map((line) => line.split(" ")[0]))
    .toEqual(["cy@harbour.example", "dan@harbour.example", "nobody@harbour.example"]);
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("cell", { name: "nobody@harbour.example Pilots" }).waitFor();

  await expect.poll(() => mail.received.length).toBe(3);
  const letter = mail.received.find(({ to }) => to.includes("cy@harbour.example"))!;
  const phone = await open("phone");
  await phone.goto(`/join#${linkIn(letter.text).token}`);
  await phone.getByLabel("Name", { exact: true }).fill("Cy Moe");
  await phone.getByLabel("Password", { exact: true }).fill("one more long password");
  await phone.getByRole("button", { name: "Create account" }).click();
  await phone.getByRole("textbox", { name: /message|ask/i }).waitFor();
  const { users } = await call<{ users: { email: string; organization_id: string; group_ids: string[] }[] }>(
    "GET",
    "/api/v1/users/?query=cy@",
  );
  expect(users).toMatchObject([{ email: "cy@harbour.example", organization_id: organization, group_ids: [group] }]);
});

test("a forgotten password is set with the link from the e-mail", async () => {
  await setMail(true);
  const { email } = await newcomer("user");
  const page = await open("phone");
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
  await page.getByLabel("E-mail", { exact: true }).fill(email);
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "forgotten-phone");
  mail.received.length = 0;
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByText("an e-mail with a link is on its way").waitFor();
  await expect.poll(() => mail.received.length).toBe(1);
  const { token } = linkIn(mail.received[0]!.text);
  await page.goto(`/new-password#${token}`);
  await page.getByText(`For ${email}.`).waitFor();
  await page.getByLabel("New password", { exact: true }).fill("a third long password");
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "new-password-phone");
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByText("Your new password is set.").waitFor();
  await fillSignIn(page, { email, password: "a third long password" });
  await page.getByRole("textbox", { name: /message|ask/i }).waitFor();
});

test("an administrator makes a link for a new password on the person's panel", async () => {
  const { email } = await newcomer("user");
  const { users } = await call<{ users: { id: string }[] }>("GET", `/api/v1/users/?query=${email}`);
  const page = await open();
  await signInAnew(page, parley.url, ada);
  await page.goto(`/admin/people?person=${users[0]!.id}`);
  await page.getByRole("button", { name: "Link for a new password" }).click();
  await page.getByRole("button", { name: "Make link" }).click();
  await page.getByText("Send this link to the person in a secure way.").waitFor();
  expect((await linkShown(page)).page).toBe("/new-password");
  await takePicture(page, "reset-link");
});

test("a second factor is set up with a picture and codes, asked for at sign-in, and required before anything else", async () => {
  const [bo, cy] = [await newcomer("user"), await newcomer("admin")];
  const page = await open();
  await signInAnew(page, parley.url, bo);
  await page.goto("/settings/second-factor");
  await page.getByLabel("Your password", { exact: true }).fill(bo.password);
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "factor-setup");
  const secret = (await page.locator("code").first().textContent()) ?? "";
  const now = Math.floor(Date.now() / 1000);
  await page.getByLabel("Code", { exact: true }).fill(totpCode(secret, now));
  await page.getByRole("button", { name: "Finish" }).click();
  await page.getByText("They are shown only once.").waitFor();
  const [recovery = ""] = ((await page.locator("code").first().textContent()) ?? "").split("\n");
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "factor-codes");

  const phone = await open("phone");
  await phone.goto("/sign-in");
  await fillSignIn(phone, bo);
  await phone.getByText("Enter the code of your authenticator app").waitFor();
  // The password was right: nobody has to be told what to do without it.
  await expect.poll(() => phone.getByRole("link", { name: "Forgot your password?" }).count()).toBe(0);
  expect(await findViolations(phone)).toEqual([]);
  await takePicture(phone, "factor-code-phone");
  await phone.getByLabel("Code", { exact: true }).fill("000000");
  await phone.getByRole("button", { name: "Sign in", exact: true }).click();
  await phone.getByText("That code is wrong").waitFor();
  await phone.getByLabel("Code", { exact: true }).fill(recovery);
  await phone.getByRole("button", { name: "Sign in", exact: true }).click();
  await phone.getByRole("textbox", { name: /message|ask/i }).waitFor();

  await call("POST", "/api/v1/auths/admin/config", { SECOND_FACTOR: "administrators" });
  const forced = await open("phone");
  await signInAnew(forced, parley.url, cy);
  await forced.goto("/settings");
  await forced.getByRole("heading", { name: "Set up a second factor" }).waitFor();
  expect(await findViolations(forced)).toEqual([]);
  await takePicture(forced, "factor-required-phone");
  await forced.getByLabel("Your password", { exact: true }).fill(cy.password);
  await forced.getByRole("button", { name: "Set up" }).click();
  await forced.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  const own = (await forced.locator("code").first().textContent()) ?? "";
  await forced.getByLabel("Code", { exact: true }).fill(totpCode(own, Math.floor(Date.now() / 1000)));
  await forced.getByRole("button", { name: "Finish" }).click();
  await forced.getByRole("button", { name: "I have saved them" }).click();
  await forced.getByRole("heading", { name: "Profile" }).waitFor();
  // Only somebody who has one can switch it off.
  const switchedOff = await forced.context().request.post(`${parley.url}/api/v1/auths/admin/config`, {
    data: { SECOND_FACTOR: null },
    headers: { origin: parley.url },
  });
  expect(switchedOff.status()).toBe(200);
});
