import type { Page } from "playwright-core";
import { callApi, fillSignIn, signUpByApi, type Account } from "./accounts.ts";
import { field, message, write } from "./channels-world.ts";
import type { TestBrowser } from "./open-browser.ts";

export interface Person extends Account {
  id: string;
  token: string;
}

/** The banner about sockets. */
export const blocked = (page: Page) => page.getByText(/blocks WebSockets/);

let people = 0;

/** @param parley its own address, without a proxy */
export async function newPerson(parley: string): Promise<Person> {
  people += 1;
  const account = { name: `Pat ${people}`, email: `pat${people}@example.com`, password: "correct horse battery" };
  return { ...account, ...(await signUpByApi(parley, account)) };
}

/** Opens the sign-in page behind a proxy and sends the form. */
export async function signIn(browser: TestBrowser, site: string, account: Account): Promise<Page> {
  const page = await browser.openPage({ baseURL: site });
  await page.goto("/sign-in");
  await fillSignIn(page, account);
  return page;
}

/** A channel of two, one behind the proxy and one not: what the other one says appears. */
export async function talk(page: Page, parley: string, person: Person): Promise<void> {
  const other = await newPerson(parley);
  const call = <T>(path: string, body: object) =>
    callApi<T>(parley, other.token, "POST", `/api/v1/channels/${path}`, body);
  const { id } = await call<{ id: string }>("create", { name: `talk-${people}`, is_private: false });
  await call(`${id}/update/members/add`, { user_ids: [person.id] });
  await page.goto(`/channels/${id}`);
  await field(page).waitFor();
  await call(`${id}/messages/post`, { content: "from the other side" });
  await message(page, "from the other side").waitFor();
  await write(page, "heard");
  await message(page, "heard").waitFor();
}

/** Sends a file of so many megabytes as the page would. */
export const upload = (page: Page, megabytes: number) =>
  page.evaluate(async (length) => {
    const piece = new Uint8Array(1024 * 1024).fill(97);
    const form = new FormData();
    form.append("file", new File(Array<Uint8Array<ArrayBuffer>>(length).fill(piece), "large.txt"));
    const answer = await fetch("/api/v1/files/?process=false", { method: "POST", body: form });
    const text = await answer.text();
    if (!answer.ok) return { status: answer.status };
    const { id, meta } = JSON.parse(text) as { id: string; meta: { size: number } };
    await fetch(`/api/v1/files/${id}`, { method: "DELETE" });
    return { status: answer.status, size: meta.size };
  }, megabytes);
