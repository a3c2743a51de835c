import { json } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { fillSignIn, signUpByApi } from "./accounts.ts";
import { answers, answerText, ask, chooseModel, composer, openChatWorld, send, type ChatWorld } from "./chat-world.ts";
import { blocked, newPerson, type Person, signIn, talk, upload } from "./proxied-people.ts";
import { proxyNames, type ProxyName, type Variant } from "./proxy-configurations.ts";
import { askThrough, startProxy, type AskOptions, type RunningProxy, whyMissing } from "./start-proxy.ts";

/** The programs themselves, with the configurations of docs/proxies.md. CONTRIBUTING.md says where they come from. */

const base = "/parley";
const password = "correct horse";
const foreign = {
  "x-forwarded-for": "203.0.113.9",
  "x-forwarded-proto": "http",
  "x-forwarded-host": "evil.example",
  forwarded: "for=203.0.113.9;proto=http;host=evil.example",
};
/** Where sockets are blocked. Caddy and Traefik need no more than the address of Parley. */
const stock: Partial<Record<ProxyName, Variant[]>> = { nginx: ["stock"], Apache: ["stock", "stock, http"] };
let world: ChatWorld;
let below: Parley;
const open: RunningProxy[] = [];

beforeAll(async () => {
  const env = { ALLOWED_HOSTS: "*.example.com", DEFAULT_USER_ROLE: "user" };
  [world, below] = await Promise.all([
    // Not `loopback`: 127.0.0.2 is a caller.
    openChatWorld({ ...env, TRUSTED_PROXIES: "127.0.0.1" }),
    startParley({
      env: {
        ...env,
        TRUSTED_PROXIES: "loopback",
        BASE_PATH: base,
        OAUTH_CLIENT_ID: "parley",
        OPENID_PROVIDER_URL: "http://127.0.0.1:1",
      },
    }),
  ]);
  await signUpByApi(below.url, { name: "Ada", email: world.adminEmail, password });
});
afterAll(async () => {
  await Promise.all(open.map((proxy) => proxy.stop()));
  await Promise.all([world?.close(), below?.stop()]);
});

async function start(name: ProxyName, variant: Variant, parley = world.parley): Promise<RunningProxy> {
  const proxy = await startProxy(name, variant, parley.url);
  open.push(proxy);
  return proxy;
}

/** What the service answers to the administrator, with headers that a caller may not set. */
async function askAsAdmin<T>(site: string, path: string): Promise<T> {
  const options: AskOptions = { headers: foreign, from: "127.0.0.2" };
  const entry = await askThrough(`${site}/api/v1/auths/signin`, {
    ...options,
    method: "POST",
    body: { email: world.adminEmail, password },
  });
  expect(entry.headers["set-cookie"]?.every((cookie) => cookie.endsWith("; Secure"))).toBe(true);
  const { token } = (await json(entry)) as { token: string };
  const headers = { ...foreign, authorization: `Bearer ${token}` };
  return (await json(await askThrough(site + path, { ...options, headers }))) as T;
}

/** What the sockets of a page have brought, by their paths. */
function listen(page: Page): { paths: Set<string>; frames: string[] } {
  const heard = { paths: new Set<string>(), frames: [] as string[] };
  page.on("websocket", (socket) => {
    heard.paths.add(new URL(socket.url()).pathname);
    socket.on("framereceived", ({ payload }) => heard.frames.push(payload.toString()));
  });
  return heard;
}

for (const name of proxyNames) {
  const missing = whyMissing(name);

  describe.skipIf(missing)(`${name}${missing}`, () => {
    let proxy: RunningProxy;
    let page: Page;
    let person: Person;
    beforeAll(async () => {
      proxy = await start(name, "documented");
      person = await newPerson(world.parley.url);
    });
    afterAll(() => page?.context().close());

    test("people sign in, and the cookies are for https", async () => {
      page = await signIn(world.browser, proxy.origin, person);
      await composer(page).waitFor();
      const cookies = await page.context().cookies();
      expect(cookies.map(({ name, secure }) => [name, secure])).toEqual(
        expect.arrayContaining([
          ["token", true],
          ["device", true],
        ]),
      );
    });

    test("answers appear word by word, on the page and at an API client", async () => {
      await chooseModel(page, "openai");
      const seen = world.upstream.holdAfter(4);
      await send(page, "What is the capital of France?");
      await answers(page).getByText("Paris is").waitFor();
      await expect.poll(() => answers(page).getByText(answerText).count()).toBe(0);
      seen.release();
      await answers(page).getByText(answerText).waitFor();

      const read = world.upstream.holdAfter(4);
      const body = { model: "openai", stream: true, messages: [{ role: "user", content: "And of Italy?" }] };
      const headers = { authorization: `Bearer ${person.token}` };
      const answer = await askThrough(`${proxy.origin}/api/chat/completions`, { method: "POST", headers, body });
      let text = "";
      for await (const piece of answer as AsyncIterable<Buffer>) {
        text += piece.toString();
        // The rest comes only now: a proxy that waits for it waits for ever.
        if (text.includes('" is"')) read.release();
      }
      expect(text).toContain("[DONE]");
    });

    test("events come over a socket", async () => {
      const heard = listen(page);
      await talk(page, world.parley.url, person);
      expect(heard.frames.some((frame) => frame.includes("from the other side"))).toBe(true);
      await expect.poll(() => blocked(page).count()).toBe(0);
    });

    test("a file of 200 MB is uploaded", async () => {
      expect(await upload(page, 200)).toEqual({ status: 200, size: 200 * 1024 * 1024 });
    });

    test("the caller's address and the scheme are those that the proxy sees", async () => {
      const { sign_ins: signIns } = await askAsAdmin<{ sign_ins: { address: string }[] }>(
        proxy.origin,
        "/api/v1/auths/sign-ins",
      );
      expect(signIns[0]).toMatchObject({ address: "127.0.0.2" });
      const scim = await askAsAdmin<{ base_url: string }>(proxy.origin, "/api/v1/auths/admin/scim");
      expect(scim.base_url).toBe(`${proxy.origin}/api/v1/scim/v2`);
    });

    test("below a path: pages, cookies, the socket, and the addresses that the service makes", async () => {
      const { origin } = await start(name, "below a path", below);
      const page = await world.browser.openPage({ baseURL: origin });
      const heard = listen(page);
      await page.goto(base);
      await page.waitForURL(`${origin}${base}/sign-in`);
      await fillSignIn(page, await newPerson(below.url));
      await composer(page).waitFor();
      await expect.poll(() => heard.frames.length).toBeGreaterThan(0);
      expect([...heard.paths]).toEqual([`${base}/api/v1/events`]);
      const cookies = await page.context().cookies();
      expect(cookies.map(({ name, path, secure }) => [name, path, secure])).toEqual(
        expect.arrayContaining([
          ["token", base, true],
          ["device", `${base}/api/v1/auths`, true],
        ]),
      );
      const sso = await askAsAdmin<{ providers: object[] }>(origin + base, "/api/v1/auths/admin/sso");
      expect(sso.providers).toMatchObject([{ callback_url: `${origin}${base}/oauth/oidc/login/callback` }]);
      await page.context().close();
    });

    test.each(stock[name] ?? [])(
      "%s: people sign in, a banner says that sockets are blocked, and everything arrives",
      async (variant) => {
        const { origin } = await start(name, variant);
        const person = await newPerson(world.parley.url);
        const page = await signIn(world.browser, origin, person);
        await composer(page).waitFor();
        await blocked(page).waitFor();
        await chooseModel(page, "openai");
        await ask(page, "What is the capital of France?");
        await page.getByText(answerText).first().waitFor();
        await talk(page, world.parley.url, person);
        await blocked(page).waitFor();
        expect(await upload(page, 2)).toMatchObject({ status: name === "nginx" ? 413 : 200 });
        await page.context().close();
      },
    );

    if (name === "nginx")
      test("stock, http: the sign-in page and the log name the header that is missing", async () => {
        const { origin } = await start(name, "stock, http");
        const page = await signIn(world.browser, origin, await newPerson(world.parley.url));
        const alert = page.getByRole("alert");
        await alert.getByText(`does not pass the Host header on: people open ${origin}`).waitFor();
        await alert.getByText("proxy_set_header Host $http_host;").waitFor();
        expect(world.parley.output).toContain(`people open ${origin}`);
        await page.context().close();
      });
  });
}
