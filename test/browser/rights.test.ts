import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChatWorld, openChatWorld } from "./chat-world.ts";

let world: ChatWorld;
let admin: string;

beforeAll(async () => {
  world = await openChatWorld();
  const credentials = { email: world.adminEmail, password: "correct horse" };
  admin = (await call<{ token: string }>("POST", "/api/v1/auths/signin", credentials)).token;
});
afterAll(() => world.close());

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(world.parley.url + path, {
    method,
    headers: { "content-type": "application/json", ...(admin ? { authorization: `Bearer ${admin}` } : {}) },
    body: body ? JSON.stringify(body) : null,
  });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

test("an open page follows what an administrator changes about its person, without being loaded again", async () => {
  const page = await world.openChat();
  const me = await page.evaluate(async () => (await fetch("/api/v1/auths/")).json() as Promise<{ id: string }>);
  await page.evaluate(() => Object.assign(globalThis, { neverLoadedAgain: true }));
  const menu = page.getByRole("button", { name: /Person \d+$/ }).first();
  const administration = page.getByRole("menuitem", { name: "Administration" });
  await menu.click();
  await page.getByRole("menu").waitFor();
  await expect.poll(() => administration.count()).toBe(0);
  await page.keyboard.press("Escape");

  await call("POST", `/api/v1/users/${me.id}/update`, { organization_role: "admin" });
  await expect
    .poll(
      async () => {
        await menu.click();
        await page.getByRole("menu").waitFor();
        const count = await administration.count();
        await page.keyboard.press("Escape");
        return count;
      },
      { timeout: 30_000 },
    )
    .toBe(1);

  await call("POST", `/api/v1/users/${me.id}/update`, { role: "pending" });
  await page
    .getByRole("heading")
    .filter({ hasText: /sign in|wait/i })
    .first()
    .waitFor();
  expect(await page.evaluate(() => "neverLoadedAgain" in globalThis)).toBe(true);
});

/** A page of a new person with a chat of two turns, whose answer shows all kinds of previews. */
async function openPages(): Promise<{ page: Page; path: string }> {
  const page = await world.openChat();
  const code = "```html\n<h1>Tides</h1>\n```\n\n```mermaid\ngraph LR\n  Quay --> Ferry\n```\n\n```csv\na,b\n1,2\n```";
  const messages = ["When is high water?", "At noon.", "As pages?", code].map((content, index) => ({
    id: `m${index}`,
    role: index % 2 === 0 ? "user" : "assistant",
    content,
    done: true,
    timestamp: index + 1,
  }));
  const stored = await page.request.post(`${world.parley.url}/api/v1/chats/new`, {
    headers: { origin: world.parley.url },
    data: { chat: { title: "Pages", messages } },
  });
  const path = `/c/${((await stored.json()) as { id: string }).id}`;
  await page.goto(path);
  return { page, path };
}

test.each([
  ["switched off", "/api/v1/auths/admin/config", { ENABLE_PREVIEWS: false }, { ENABLE_PREVIEWS: true }],
  [
    "not permitted",
    "/api/v1/users/default/permissions",
    { features: { previews: false } },
    { features: { previews: true } },
  ],
])(
  "where previews are %s, code of answers is code only, and an old address of one opens nothing",
  async (_, path, off, on) => {
    const { page } = await openPages();
    const preview = page.getByRole("link", { name: "Preview", exact: true });
    await preview.waitFor();
    await page.getByRole("group", { name: "Diagram" }).getByRole("img").waitFor();
    await preview.click();
    await page.getByRole("complementary", { name: "Preview" }).waitFor();
    const address = page.url();

    await call("POST", path, off);
    await page.goto(address);
    await page.getByText("Quay --> Ferry").waitFor();
    // The tools of a block come with its header.
    await page.getByRole("button", { name: "Copy code" }).nth(2).waitFor();
    await expect.poll(() => preview.count()).toBe(0);
    await expect.poll(() => page.getByRole("link", { name: "Table and plot" }).count()).toBe(0);
    await expect.poll(() => page.getByRole("complementary", { name: "Preview" }).count()).toBe(0);
    await expect.poll(() => page.locator("iframe").count()).toBe(0);
    await call("POST", path, on);
  },
);

test("copies and summaries of chats are offered only to people who may make them", async () => {
  const { page, path } = await openPages();
  const offered = async (): Promise<string[]> => {
    const names: string[] = [];
    for (const menu of [
      page.getByRole("button", { name: "More actions" }).last(),
      page.getByRole("button", { name: /^Actions for / }).last(),
    ]) {
      await menu.click();
      names.push(...(await page.getByRole("menu").getByRole("menuitem").allTextContents()));
      await page.keyboard.press("Escape");
    }
    return names.filter((name) => /new chat|Clone|Summarize/.test(name)).map((name) => name.trim());
  };
  await expect.poll(() => offered()).toEqual(["Continue in a new chat", "Clone", "Summarize earlier messages"]);

  const permissions = "/api/v1/users/default/permissions";
  await call("POST", permissions, { chat: { fork: false }, features: { context_compaction: false } });
  await page.goto(path);
  await page.getByText("As pages?").waitFor();
  await expect.poll(() => offered()).toEqual([]);
  await call("POST", permissions, {});
});
