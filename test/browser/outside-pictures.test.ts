import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { type Account, ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";

const bo: Account = { name: "Bo Member", email: "bo@harbour.example", password: "correct horse battery" };

/** A dot, as a PNG. */
const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

let parley: Parley;
let browser: TestBrowser;
let admin: string;
let channel: string;
let webhook: string;
/** The other site, and what it saw. */
let site: Server;
let host: string;
let seen: { url: string; headers: IncomingHttpHeaders }[] = [];

beforeAll(async () => {
  site = createServer((request, response) => {
    seen.push({ url: request.url ?? "", headers: request.headers });
    if (request.url?.startsWith("/gone")) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": "image/png", "set-cookie": "seen=1" }).end(dot);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  const env = { DEFAULT_USER_ROLE: "user", OUTBOUND_ALLOWED_PRIVATE_HOSTS: host };
  [parley, browser] = await Promise.all([startParley({ env }), openBrowser()]);
  ({ token: admin } = await signUpByApi(parley.url, ada));
  await signUpByApi(parley.url, bo);
  ({ id: channel } = await api<{ id: string }>("POST", "/api/v1/channels/create", { name: "quay", is_private: false }));
  ({ url: webhook } = await api<{ url: string }>("POST", `/api/v1/channels/${channel}/webhooks/create`, {
    name: "Harbour bot",
    profile_image_url: `http://${host}/face.png`,
  }));
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
  site.close();
});
beforeEach(() => {
  seen = [];
});

const api = <T>(method: string, path: string, body?: object): Promise<T> =>
  callApi<T>(parley.url, admin, method, path, body);
const setMode = (mode: string) => api("POST", "/api/v1/auths/admin/config", { OUTSIDE_PICTURES: mode });
const paths = () => seen.map(({ url }) => url);

async function postText(content: string): Promise<void> {
  const { pathname } = new URL(webhook);
  const response = await fetch(parley.url + pathname, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ content }),
  });
  expect(response.status).toBe(200);
}

/** A page that Bo has open, and whom it called beside the service. */
async function open(address: string, options: PageOptions = {}): Promise<{ page: Page; strangers: string[] }> {
  const page = await browser.openPage({ baseURL: parley.url, ...options });
  const strangers: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.origin !== new URL(parley.url).origin) strangers.push(url.href);
  });
  await signInContext(page, parley.url, bo);
  await page.goto(address);
  return { page, strangers };
}

const isLoaded = (page: Page, name: string) =>
  page.waitForFunction(
    (alt) => [...document.images].some((image) => image.alt === alt && image.complete && image.naturalWidth > 0),
    name,
  );

/** The other site was called by the service alone, and learned nothing of who reads. */
function expectOnlyService(): void {
  for (const { headers } of seen) {
    const { host: own, connection, "accept-encoding": _, ...told } = headers;
    expect([own, connection === undefined || typeof connection === "string"]).toEqual([host, true]);
    expect(told).toEqual({ accept: expect.stringContaining("image/") as string, "user-agent": "Parley" });
  }
}

it("a picture in a channel is fetched by the service after a click; the browser calls no other site", async () => {
  await setMode("ask");
  await postText(`Look: ![Quay](http://${host}/quay.png?id=bo)`);
  await postText(`Gone: ![Ghost](http://${host}/gone.png)`);
  await postText(`Build [![Badge](http://${host}/badge.png)](https://builds.example/7)`);
  const { page, strangers } = await open(`/channels/${channel}`);
  const button = page.getByRole("button", { name: `Show picture: Quay (${host})` });
  await button.waitFor();
  await expect
    .poll(() =>
      page
        .getByRole("link", { name: `Open the picture on ${host}` })
        .first()
        .getAttribute("rel"),
    )
    .toContain("noreferrer");
  expect(await findViolations(page)).toEqual([]);
  expect(paths().filter((path) => path !== "/face.png")).toEqual([]);
  await button.click();
  await isLoaded(page, "Quay");
  await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLImageElement).alt)).toBe("Quay");
  expect(paths()).toContain("/quay.png?id=bo");

  await page.getByRole("button", { name: `Show picture: Ghost (${host})` }).click();
  await page.getByRole("link", { name: `Picture: Ghost (${host})` }).waitFor();
  // In a link stands no button: the link keeps its name, and the picture's own address follows.
  await expect
    .poll(() => page.getByRole("link", { name: "Badge", exact: true }).getAttribute("href"))
    .toBe("https://builds.example/7");
  await page.getByRole("link", { name: `Picture: Badge (${host})` }).waitFor();
  expect(paths()).not.toContain("/badge.png");
  expect(await findViolations(page)).toEqual([]);
  expectOnlyService();
  expect(strangers).toEqual([]);
});

it("faces are handed on too, and pictures show at once or never, as the setting says", async () => {
  await setMode("show");
  await postText(`![Crane](http://${host}/crane.png)`);
  const { page, strangers } = await open(`/channels/${channel}`);
  await isLoaded(page, "Crane");
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>(".avatar img")].some((image) => image.naturalWidth === 1),
  );
  expect(paths()).toContain("/face.png");
  expectOnlyService();
  await setMode("link");
  seen = [];
  await page.reload();
  await page.getByRole("link", { name: `Picture: Crane (${host})` }).waitFor();
  await expect.poll(() => page.locator(".markdown img").count()).toBe(0);
  expect(paths()).toEqual([]);
  expect(strangers).toEqual([]);
});

it("readers of a shared chat call no other site", async () => {
  await setMode("ask");
  const history = {
    currentId: "a1",
    messages: {
      u1: { id: "u1", parentId: null, childrenIds: ["a1"], role: "user", content: "Show me the lighthouse" },
      a1: {
        id: "a1",
        parentId: "u1",
        childrenIds: [],
        role: "assistant",
        model: "parley-guide",
        done: true,
        content: `![Lighthouse](http://${host}/lighthouse.png)`,
      },
    },
  };
  const { id } = await api<{ id: string }>("POST", "/api/v1/chats/new", {
    chat: { title: "Lighthouse", models: ["parley-guide"], history },
  });
  const { share_id: share } = await api<{ share_id: string }>("POST", `/api/v1/chats/${id}/share`, {
    access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }],
  });
  const { page, strangers } = await open(`/s/${share}`, { size: "phone", theme: "dark" });
  const button = page.getByRole("button", { name: `Show picture: Lighthouse (${host})` });
  await button.waitFor();
  expect(paths()).toEqual([]);
  await button.click();
  await isLoaded(page, "Lighthouse");
  expectOnlyService();
  expect(strangers).toEqual([]);
});

it("the page's policy lets no picture of another site through, whatever is in the page", async () => {
  const { page } = await open("/");
  const blocked = await page.evaluate(
    (address) =>
      new Promise<string>((resolve) => {
        document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective));
        const image = new Image();
        image.addEventListener("load", () => resolve("loaded"));
        image.src = address;
      }),
    `http://${host}/direct.png`,
  );
  expect(blocked).toBe("img-src");
  const response = await fetch(parley.url);
  expect(response.headers.get("content-security-policy")).toContain("img-src 'self' data: blob:;");
  expect(paths()).toEqual([]);
});
