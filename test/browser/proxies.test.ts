import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { proxies, startReverseProxy, type ProxyRules, type ReverseProxy } from "../fixtures/proxies/reverse-proxy.ts";
import { callApi, fillSignIn, signUpByApi, type Account } from "./accounts.ts";
import { field, message, write } from "./channels-world.ts";
import { answerText, ask, chooseModel, composer, openChatWorld, type ChatWorld } from "./chat-world.ts";

/** A name without https: browsers then say nothing but `Origin`. The test browser finds it on this machine. */
const host = "chat.proxied.test";
const blocked = /blocks WebSockets/;
const open: ReverseProxy[] = [];
let world: ChatWorld;
let people = 0;

beforeAll(async () => {
  world = await openChatWorld({ TRUSTED_PROXIES: "loopback", ALLOWED_HOSTS: host });
});
afterEach(() => open.splice(0).forEach((proxy) => proxy.close()));
afterAll(() => world.close());

async function start(rules: ProxyRules): Promise<ReverseProxy & { url: string }> {
  const proxy = await startReverseProxy(world.parley.url, rules);
  open.push(proxy);
  return Object.assign(proxy, { url: `http://${host}:${proxy.port}` });
}

async function newAccount(): Promise<Account & { token: string; id: string }> {
  people += 1;
  const account = { name: `Pat ${people}`, email: `pat${people}@example.com`, password: "correct horse battery" };
  return { ...account, ...(await signUpByApi(world.parley.url, account)) };
}

/** Opens the sign-in page behind a proxy and sends the form. */
async function signIn(url: string, account: Account): Promise<Page> {
  const page = await world.browser.openPage({ baseURL: url });
  await page.goto("/sign-in");
  await fillSignIn(page, account);
  return page;
}

/** A channel of two, one behind the proxy and one not: what the other one says appears. */
async function talk(page: Page, account: { id: string }): Promise<void> {
  const other = await newAccount();
  const { id } = await callApi<{ id: string }>(world.parley.url, other.token, "POST", "/api/v1/channels/create", {
    name: `talk-${people}`,
    is_private: false,
  });
  await callApi(world.parley.url, other.token, "POST", `/api/v1/channels/${id}/update/members/add`, {
    user_ids: [account.id],
  });
  await page.goto(`/channels/${id}`);
  await field(page).waitFor();
  await callApi(world.parley.url, other.token, "POST", `/api/v1/channels/${id}/messages/post`, {
    content: "from the other side",
  });
  await message(page, "from the other side").waitFor();
  await write(page, "heard");
  await message(page, "heard").waitFor();
}

/** Sends a file of so many bytes as the page would. */
const upload = (page: Page, bytes: number) =>
  page.evaluate(async (length) => {
    const form = new FormData();
    form.append("file", new File([new Uint8Array(length).fill(97)], "large.txt"));
    const answer = await fetch("/api/v1/files/?process=false", { method: "POST", body: form });
    return { status: answer.status, ...((await answer.json()) as { meta?: { size: number } }) };
  }, bytes);

const working = ["nginx", "Apache", "Apache, stock", "Caddy", "Traefik"] as const;

test.each(working)("behind %s people sign in, talk, ask and upload", async (name) => {
  const { url, rules } = await start(proxies[name]);
  const account = await newAccount();
  const page = await signIn(url, account);
  await composer(page).waitFor();
  await chooseModel(page, "openai");
  await ask(page, "What is the capital of France?");
  await page.getByText(answerText).first().waitFor();
  const size = 8_000_000;
  expect(await upload(page, size)).toMatchObject({ status: 200, meta: { size } });
  await talk(page, account);
  await page.getByText(blocked).waitFor({ state: rules.passesUpgrades ? "hidden" : "visible", timeout: 5000 });
  await page.context().close();
});

test("behind a stock nginx the sign-in page and the log name the header that is missing", async () => {
  const { url } = await start(proxies["nginx, stock"]);
  const page = await signIn(url, await newAccount());
  const alert = page.getByRole("alert");
  await alert.getByText(`does not pass the Host header on: people open ${url}`).waitFor();
  await alert.getByText("proxy_set_header Host $http_host;").waitFor();
  expect(new URL(page.url()).pathname).toBe("/sign-in");
  expect(world.parley.output.split(`people open ${url}`)).toHaveLength(2);
  await page.context().close();
});

test.each<["never" | "unless told" | "always"]>([["unless told"], ["always"]])(
  "without sockets, and answers held back %s: a banner says so within 5 s, everything arrives, and sockets come back",
  async (buffers) => {
    const proxy = await start({ ...proxies["nginx, stock"], buffers });
    const account = await newAccount();
    // As over https, the browser itself says here that it is the same origin.
    const page = await signIn(`http://127.0.0.1:${proxy.port}`, account);
    await composer(page).waitFor();
    await page.getByText(blocked).waitFor({ timeout: 5000 });
    await chooseModel(page, "openai");
    await ask(page, "What is the capital of France?");
    await page.getByText(answerText).first().waitFor();
    await talk(page, account);
    await page.reload();
    await page.getByText(blocked).waitFor({ timeout: 5000 });
    proxy.rules = proxies.nginx;
    await page.getByText(blocked).waitFor({ state: "hidden", timeout: 15_000 });
    expect(page.url()).toContain("/channels/");
    await page.context().close();
  },
);
