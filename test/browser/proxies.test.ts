import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { proxies, startReverseProxy, type ProxyRules, type ReverseProxy } from "../fixtures/proxies/reverse-proxy.ts";
import { answerText, ask, chooseModel, composer, openChatWorld, type ChatWorld } from "./chat-world.ts";
import { blocked, newPerson, signIn, talk, upload } from "./proxied-people.ts";

/** What needs no proxy on this machine, and what a proxy does not do on demand. real-proxies.test.ts has the real ones. */

/** A name without https: browsers then say nothing but `Origin`. The test browser finds it on this machine. */
const host = "chat.proxied.test";
const open: ReverseProxy[] = [];
let world: ChatWorld;

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

test("behind a proxy people sign in, talk, ask and upload", async () => {
  const { url } = await start(proxies.nginx);
  const person = await newPerson(world.parley.url);
  const page = await signIn(world.browser, url, person);
  await composer(page).waitFor();
  await chooseModel(page, "openai");
  await ask(page, "What is the capital of France?");
  await page.getByText(answerText).first().waitFor();
  expect(await upload(page, 8)).toEqual({ status: 200, size: 8 * 1024 * 1024 });
  await talk(page, world.parley.url, person);
  await blocked(page).waitFor({ state: "hidden" });
  await page.context().close();
});

test("behind a stock nginx the sign-in page and the log name the header that is missing", async () => {
  const { url } = await start(proxies["nginx, stock"]);
  const page = await signIn(world.browser, url, await newPerson(world.parley.url));
  const alert = page.getByRole("alert");
  await alert.getByText(`does not pass the Host header on: people open ${url}`).waitFor();
  await alert.getByText("proxy_set_header Host $http_host;").waitFor();
  expect(new URL(page.url()).pathname).toBe("/sign-in");
  expect(world.parley.output.split(`people open ${url}`)).toHaveLength(2);
  await page.context().close();
});

test.each<ProxyRules["buffers"]>(["unless told", "always"])(
  "without sockets, and answers held back %s: a banner says so, everything arrives, and sockets come back",
  async (buffers) => {
    const proxy = await start({ ...proxies["nginx, stock"], buffers });
    const person = await newPerson(world.parley.url);
    // As over https, the browser itself says here that it is the same origin.
    const page = await signIn(world.browser, `http://127.0.0.1:${proxy.port}`, person);
    await composer(page).waitFor();
    await blocked(page).waitFor();
    await chooseModel(page, "openai");
    await ask(page, "What is the capital of France?");
    await page.getByText(answerText).first().waitFor();
    await talk(page, world.parley.url, person);
    await page.reload();
    await blocked(page).waitFor();
    proxy.rules = proxies.nginx;
    await blocked(page).waitFor({ state: "hidden" });
    expect(page.url()).toContain("/channels/");
    await page.context().close();
  },
);
