import { randomUUID } from "node:crypto";
import type { BrowserContext, Page } from "playwright-core";

export interface Account {
  name: string;
  email: string;
  password: string;
}

export const ada: Account = { name: "Ada Lindqvist", email: "ada@harbour.example", password: "correct horse battery" };

/** An account that is not made yet, with an address that no other one has. */
export const newAccount = (name: string): Account => ({
  name,
  email: `${randomUUID()}@harbour.example`,
  password: "a long enough password",
});

/** Fills the sign-up form that is open and sends it. */
export async function fillSignUp(page: Page, account: Account): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(account.name);
  await fillSignIn(page, account, "Create account");
}

/** Fills the sign-in form that is open and sends it. */
export async function fillSignIn(
  page: Page,
  account: Pick<Account, "email" | "password">,
  button = "Sign in",
): Promise<void> {
  await page.getByLabel("E-mail", { exact: true }).fill(account.email);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await page.getByRole("button", { name: button, exact: true }).click();
}

async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response;
}

/**
 * Makes an account over the API, where a test is not about signing up. The first one becomes the administrator. `signInContext` then
 * gives pages the session that came with it.
 */
export async function signUpByApi(url: string, account: Account): Promise<{ id: string; token: string }> {
  const made = (await (await post(`${url}/api/v1/auths/signup`, account)).json()) as { id: string; token: string };
  kept.set(keyOf(url, account), [{ name: "token", value: made.token, url, httpOnly: true, sameSite: "Lax" }]);
  return made;
}

/** Signs the browser context of the page in, with a session of its own. */
export async function signInAnew(page: Page, url: string, account: Account): Promise<void> {
  const answer = await page.context().request.post(`${url}/api/v1/auths/signin`, {
    data: { email: account.email, password: account.password },
    headers: { origin: url },
  });
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
}

type Cookies = Parameters<BrowserContext["addCookies"]>[0];

/** By address and account. */
const kept = new Map<string, Cookies>();
const keyOf = (url: string, { email, password }: Account) => JSON.stringify([url, email, password]);

/**
 * Signs the browser context of the page in with the session that the account got here before, if it still holds: checking a password
 * takes 0.2 s of processor time. Where a test is about sessions: `signInAnew`.
 */
export async function signInContext(page: Page, url: string, account: Account): Promise<void> {
  const context = page.context();
  const cookies = kept.get(keyOf(url, account));
  if (cookies) {
    await context.addCookies(cookies);
    if ((await context.request.get(`${url}/api/v1/auths/`)).ok()) return;
    await context.clearCookies();
  }
  await signInAnew(page, url, account);
  kept.set(keyOf(url, account), await context.cookies(url));
}

/** A call as the owner of the token. */
export async function callApi<T>(url: string, token: string, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
