import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startScriptedUpstream, type ScriptedUpstream } from "../fixtures/upstreams/scripted-upstream.ts";
import { startWebStandIn, type WebStandIn } from "../fixtures/web/web-stand-in.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { answers, composer, send } from "./chat-world.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";
import { takePicture } from "./take-picture.ts";

let web: WebStandIn;
let upstream: ScriptedUpstream;
let parley: Parley;
let browser: TestBrowser;
let api: <T>(method: string, path: string, body?: object) => Promise<T>;
beforeAll(async () => {
  [web, browser, upstream] = await Promise.all([
    startWebStandIn(),
    openBrowser(),
    startScriptedUpstream({
      pilot: ({ messages }) => {
        const given = JSON.stringify(messages);
        if (given.includes("enter into a search engine")) return { content: '{"queries": ["ferry Skagen timetable"]}' };
        const number = /id=\\"(\d+)\\"[^>]*>[^<]*21:40/.exec(given)?.[1];
        return { content: number ? `The last ferry leaves at 21:40.[${number}]` : "I do not know." };
      },
    }),
  ]);
  web.found = [
    { path: "/ferry", title: "Ferries", snippet: "" },
    { path: "/video", title: "A film of the ferry", snippet: "" },
  ];
  parley = await startParley({
    env: {
      OPENAI_API_BASE_URLS: upstream.url,
      OPENAI_API_KEYS: "sk",
      OUTBOUND_ALLOWED_PRIVATE_HOSTS: web.host,
      ENABLE_TITLE_GENERATION: "false",
    },
  });
  const { token } = await signUpByApi(parley.url, ada);
  api = (method, path, body) => callApi(parley.url, token, method, path, body);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([parley?.stop(), upstream?.close(), web?.close()]);
});

async function open(path: string, options: PageOptions = {}): Promise<Page> {
  const page = await browser.openPage({ baseURL: parley.url, ...options });
  await signInContext(page, parley.url, ada);
  await page.goto(path);
  return page;
}

test("an administrator sets up a provider, and sees what it finds and why it fails", async () => {
  const page = await open("/admin/web-search", { size: "desktop" });
  const engine = page.getByLabel("Provider", { exact: true });
  await engine.selectOption("brave");
  await page.getByLabel("Brave: key").fill("brave-secret");
  await expect.poll(() => page.getByLabel("SearXNG: address").count()).toBe(0);
  await engine.selectOption("searxng");
  await expect.poll(() => page.getByLabel("Brave: key").count()).toBe(0);
  await page.getByLabel("SearXNG: address").fill(web.origin);
  await page.getByRole("switch", { name: "Web search" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Provider and pages: saved. The changes apply now.").waitFor();
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByText(/^2 results in/).waitFor();
  await page.getByRole("link", { name: "A film of the ferry" }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "web-search-admin");
  web.status = 429;
  await page.getByLabel("Query").fill("tides");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByText("SearXNG has had too many searches (status 429)").waitFor();
  web.status = 200;
  await page.reload();
  await page.getByLabel("Provider", { exact: true }).selectOption("brave");
  await page.getByText("A value is saved. Enter another one to replace it.").waitFor();
  await expect.poll(() => page.getByLabel("Brave: key").inputValue()).toBe("");
  expect(await page.content()).not.toContain("brave-secret");
});

test("a person switches it on by keyboard on a phone, sees what was searched and read, and follows a source", async () => {
  const page = await open("/", { size: "phone", theme: "dark" });
  await composer(page).waitFor();
  await page.getByRole("button", { name: "Tools: none on" }).press("Enter");
  await page.getByRole("switch", { name: "Search the web" }).press("Space");
  await takePicture(page, "web-search-switch");
  await page.keyboard.press("Escape");
  const mark = page.getByRole("button", { name: "Search the web", pressed: true });
  await mark.waitFor();
  await send(page, "When does the last ferry to Skagen leave?");
  const answer = answers(page).first();
  await answer.getByText("The last ferry leaves at 21:40.").waitFor();
  expect(web.searches.at(-1)).toBe("ferry Skagen timetable");
  await answer.locator("summary", { hasText: "Read 1 of 2 pages" }).click();
  await answer.getByRole("link", { name: "Ferries of Skagen" }).first().waitFor();
  await answer.getByText("Not read: not a text that can be read (video/mp4)").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "web-search-answer");
  await page.reload();
  await answer.locator("summary", { hasText: "Read 1 of 2 pages" }).waitFor();
  await answer.getByRole("list", { name: "Sources" }).getByRole("link").first().click();
  await page.getByRole("link", { name: "Open the source" }).waitFor();
  await takePicture(page, "web-search-source");
  await expect
    .poll(() => page.getByRole("link", { name: "Open the source" }).getAttribute("href"))
    .toBe(`${web.origin}/ferry`);
});

test("a page is attached by its address, and read like a file", async () => {
  const page = await open("/", { size: "desktop" });
  await composer(page).fill(`#${web.origin}/ferry`);
  await page.getByRole("option", { name: /Attach this page/ }).waitFor();
  await composer(page).press("Enter");
  const card = page.locator("[data-attachment]");
  await card.getByText("Ferries of Skagen.html").waitFor();
  await expect.poll(() => composer(page).inputValue()).toBe("");
  await send(page, "When does the last ferry leave?");
  await answers(page).first().getByText("The last ferry leaves at 21:40.").waitFor();
  await composer(page).fill(`#${web.origin}/gone`);
  await page.getByRole("option", { name: /Attach this page/ }).waitFor();
  await composer(page).press("Enter");
  await page.getByText(/the page does not exist \(status 404\)/).waitFor();
  await takePicture(page, "web-page-failed");
});

test("nobody sees the switch without the permission, and a model may have it on in new chats", async () => {
  const permissions = "/api/v1/users/default/permissions";
  const mate = { name: "Mate", email: "mate@harbour.example", password: "a long password" };
  await api("POST", "/api/v1/auths/add", { ...mate, role: "user" });
  await api("POST", "/api/v1/models/create", {
    id: "pilot",
    name: "Pilot",
    base_model_id: null,
    meta: { defaultFeatureIds: ["web_search"] },
    params: {},
    access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }],
  });
  const page = await browser.openPage({ baseURL: parley.url });
  await signInContext(page, parley.url, mate);
  await page.goto("/");
  await page.getByRole("button", { name: "Search the web", pressed: true }).waitFor();
  await api("POST", permissions, { features: { web_search: false } });
  await page.reload();
  await composer(page).waitFor();
  await page.getByRole("button", { name: /^Model: Pilot/ }).waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Search the web" }).count()).toBe(0);
  await api("POST", permissions, { features: { web_search: true } });
});
