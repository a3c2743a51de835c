import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { proxies, startReverseProxy, type ReverseProxy } from "../fixtures/proxies/reverse-proxy.ts";
import { fillSignIn, signUpByApi, type Account } from "./accounts.ts";
import { answerText, ask, chooseModel, composer, openChatWorld, type ChatWorld } from "./chat-world.ts";

const base = "/parley";
const bo: Account = { name: "Bo Ek", email: "bo@harbour.example", password: "another long password" };
let world: ChatWorld;
let proxy: ReverseProxy;
let site: string;

beforeAll(async () => {
  world = await openChatWorld({ BASE_PATH: base, TRUSTED_PROXIES: "loopback" });
  proxy = await startReverseProxy(new URL(world.parley.url).origin, proxies.nginx);
  site = `http://127.0.0.1:${proxy.port}`;
  await signUpByApi(`${site}${base}`, bo);
});
afterAll(async () => {
  proxy.close();
  await world.close();
});

/** Opens a page and keeps what it asks for outside of the base path. */
async function open(): Promise<{ page: Page; outside: string[]; failed: string[] }> {
  const page = await world.browser.openPage({ baseURL: site });
  const outside: string[] = [];
  const failed: string[] = [];
  page.on("request", (request) => {
    const { pathname, protocol } = new URL(request.url());
    if (protocol === "http:" && !pathname.startsWith(`${base}/`)) outside.push(pathname);
  });
  page.on("response", (response) => {
    if (response.status() >= 400 && response.status() !== 401) failed.push(`${response.status()} ${response.url()}`);
  });
  return { page, outside, failed };
}

test("everything is below the base path: pages, files, API, socket, links and the cookie", async () => {
  const { page, outside, failed } = await open();
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(new URL(socket.url()).pathname));
  await page.goto(`${base}/`);
  await page.waitForURL(`${site}${base}/sign-in`);
  await fillSignIn(page, bo);
  await composer(page).waitFor();
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name, path }) => [name, path])).toEqual(
    expect.arrayContaining([
      ["token", base],
      ["device", `${base}/api/v1/auths`],
    ]),
  );
  await chooseModel(page, "openai");
  await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
  await ask(page, "What is the capital of France?");
  await page.getByText(answerText).first().waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/parley\/c\//);
  await page.reload();
  await page.getByText(answerText).first().waitFor();

  await page.goto(`${base}/help`);
  await page.getByRole("link", { name: "Webhooks", exact: true }).first().click();
  await page.waitForURL(`${site}${base}/help/webhooks`);
  await page.goBack();
  await page.waitForURL(`${site}${base}/help`);
  await page.goto(`${base}/settings/keys`);
  await page
    .getByRole("link", { name: "Channels" })
    .or(page.getByRole("heading", { level: 1 }))
    .first()
    .waitFor();
  const links = await page.locator("a[href]").evaluateAll((all) => all.map((link) => link.getAttribute("href")!));
  expect(links.filter((link) => link.startsWith("/") && !link.startsWith(`${base}/`))).toEqual([]);
  expect(links.length).toBeGreaterThan(5);
  expect([...new Set(sockets)]).toEqual([`${base}/api/v1/events`]);
  expect(outside).toEqual([]);
  expect(failed).toEqual([]);

  await page.getByRole("button", { name: /Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByText("You are signed out.").waitFor();
  expect(new URL(page.url()).pathname).toBe(`${base}/sign-in`);
  await page.context().close();
});

test("what is outside is 404 and names the base path, except for the health", async () => {
  const asked = await fetch(`${site}/api/config`);
  expect(asked.status).toBe(404);
  expect(await asked.json()).toMatchObject({
    code: "not_found",
    detail: expect.stringContaining("Parley is at /parley/"),
  });
  expect((await fetch(`${site}/parleyvous`)).status).toBe(404);
  for (const path of ["/health", "/ready", `${base}/health`]) expect((await fetch(site + path)).status).toBe(200);
});

test("a proxy that takes the base path away is named in the answer and in the log", async () => {
  const stripping = await startReverseProxy(new URL(world.parley.url).origin, { ...proxies.nginx, strips: base });
  const answer = await fetch(`http://127.0.0.1:${stripping.port}${base}/`);
  stripping.close();
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain("the proxy takes /parley off the path: let it pass the whole path on");
  expect(world.parley.output).toContain("is outside of BASE_PATH=/parley");
});

test("addresses that the service makes have the base path", async () => {
  const { token } = (await (
    await fetch(`${site}${base}/api/v1/auths/signin`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: world.adminEmail, password: "correct horse" }),
    })
  ).json()) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  const scim = (await (await fetch(`${site}${base}/api/v1/auths/admin/scim`, { headers })).json()) as {
    base_url: string;
  };
  expect(scim.base_url).toBe(`${site}${base}/api/v1/scim/v2`);
  const picture = await fetch(`${site}${base}/api/v1/models/model/profile/image?id=nothing`, {
    headers,
    redirect: "manual",
  });
  expect([picture.status, picture.headers.get("location")]).toEqual([302, `${base}/favicon.svg`]);
});
