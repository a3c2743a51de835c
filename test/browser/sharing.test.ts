import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { type Account, ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";

const grace: Account = { name: "Grace Hopper", email: "grace@harbour.example", password: "correct horse battery" };

let parley: Parley;
let browser: TestBrowser;
let token: string;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley({ env: { DEFAULT_USER_ROLE: "user" } }), openBrowser()]);
  // The first account administers; the one that shares is an ordinary one.
  await signUpByApi(parley.url, { ...ada, email: "first@harbour.example" });
  ({ token } = await signUpByApi(parley.url, ada));
  await signUpByApi(parley.url, grace);
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
});

async function open(address: string, account: Account = ada, options: PageOptions = {}) {
  const page = await browser.openPage({ baseURL: parley.url, ...options });
  await signInContext(page, parley.url, account);
  await page.goto(address);
  return page;
}

const api = <T>(method: string, address: string, body?: object): Promise<T> =>
  callApi<T>(parley.url, token, method, address, body);

const history = {
  currentId: "a1",
  messages: {
    u1: { id: "u1", parentId: null, childrenIds: ["a1"], role: "user", content: "When does the harbour close?" },
    a1: {
      id: "a1",
      parentId: "u1",
      childrenIds: [],
      role: "assistant",
      model: "parley-guide",
      done: true,
      content: "At **22:30** [1].",
      sources: [
        { source: { name: "Rules" }, document: ["Only Ada reads this"], metadata: [{ number: 1, name: "tides.pdf" }] },
      ],
    },
  },
};

async function store(title: string): Promise<string> {
  return (
    await api<{ id: string }>("POST", "/api/v1/chats/new", { chat: { title, models: ["parley-guide"], history } })
  ).id;
}

describe("a chat", () => {
  it("is shared by a link, read by others, renewed, copied and withdrawn", async () => {
    const id = await store("Harbour hours");
    const page = await open(`/c/${id}`);
    await page.getByText("At 22:30").waitFor();
    const menu = async (item: string) => {
      await page
        .getByRole("button", { name: /Harbour hours/ })
        .last()
        .click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await menu("Share …");
    const dialog = page.getByRole("dialog", { name: "Share this chat" });
    await dialog.getByLabel("Everyone here").waitFor();
    await expect.poll(() => dialog.getByLabel("Everyone here").isChecked()).toBe(true);
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Create link" }).click();
    const link = await dialog.getByText(/\/s\//).textContent();
    const address = new URL(link!.trim()).pathname;

    const hers = await open(address, grace, { size: "phone", theme: "dark" });
    await hers.getByText("Shared by Ada Lindqvist").waitFor();
    await hers.getByText("At 22:30").waitFor();
    await hers.getByText("tides.pdf").waitFor();
    await expect.poll(() => hers.getByText("Only Ada reads this").count()).toBe(0);
    expect(await findViolations(hers)).toEqual([]);

    await dialog.getByRole("button", { name: "Close" }).click();
    await api("POST", `/api/v1/chats/${id}/messages/u1`, { content: "When does it close on Sundays?" });
    await api("POST", `/api/v1/chats/${id}`, {
      chat: {
        history: { currentId: "u2", messages: { u2: { id: "u2", parentId: "a1", role: "user", content: "Thanks" } } },
      },
    });
    await hers.reload();
    await hers.getByText("When does the harbour close?").waitFor();
    await expect.poll(() => hers.getByText("Thanks").count()).toBe(0);
    await menu("Share …");
    await dialog.getByRole("button", { name: "Update the link" }).click();
    await page.getByText("The link now shows the current chat.").waitFor();
    await hers.reload();
    await hers.getByText("Thanks").waitFor();
    await hers.getByText("When does it close on Sundays?").waitFor();

    await hers.getByRole("button", { name: "Continue in your own chat" }).click();
    await hers.waitForURL(/\/c\//);
    await hers.getByText("At 22:30").waitFor();

    await dialog.getByLabel("Only you").check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("The change applies now").waitFor();
    await hers.goto(address);
    await hers.getByText("it isn't shared with you").waitFor();
    expect(await findViolations(hers)).toEqual([]);
    await dialog.getByRole("button", { name: "Remove link" }).click();
    await dialog.getByRole("button", { name: "Create link" }).waitFor();
  });

  it("is saved as Markdown, text or JSON", async () => {
    const page = await open(`/c/${await store("Saved: hours")}`);
    await page.getByText("At 22:30").waitFor();
    for (const [item, name, beginning] of [
      ["Markdown", "Saved hours.md", "# Saved: hours\n\n## You"],
      ["Plain text", "Saved hours.txt", "Saved: hours\n\nYou, "],
      ["JSON, for importing", "Saved hours.json", '[{"id":"'],
    ] as const) {
      await page
        .getByRole("button", { name: /Saved: hours/ })
        .last()
        .click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: item }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(name);
      expect(readFileSync(await download.path(), "utf8").slice(0, beginning.length)).toBe(beginning);
    }
  });
});

describe("one's own data", () => {
  it("is all chats in a file, which can be brought back, and tells what was left out", async () => {
    await store("To take along");
    const page = await open("/settings/data");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export all chats" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("parley-chats.json");
    const saved = await download.path();
    const { length } = JSON.parse(readFileSync(saved, "utf8")) as unknown[];
    expect(length).toBeGreaterThan(0);

    const hers = await open("/settings/data", grace, { size: "phone" });
    const file = hers.locator("input[type=file]");
    await file.setInputFiles(saved);
    await hers.getByText(`${length} chats imported`).or(hers.getByText("1 chat imported")).waitFor();
    await pressLink(hers, "/");
    await hers.getByRole("button", { name: "Open the menu" }).click();
    await hers.getByRole("link", { name: "To take along" }).first().waitFor();

    await pressLink(hers, "/settings/data");
    const broken = [
      {
        title: "Flat",
        messages: [{ role: "user", content: "One", files: [{ type: "file", id: "gone", name: "a.pdf" }] }],
      },
      { chat: { title: "Empty one" } },
    ];
    await file.setInputFiles({
      name: "broken.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(broken).slice(0, -1)),
    });
    await hers.getByText("1 chat imported, with 1 message.").waitFor();
    await hers.getByText("The file is incomplete").waitFor();
    await hers.getByText("1 file or picture was not included").waitFor();
    expect(await findViolations(hers)).toEqual([]);
    await file.setInputFiles({ name: "none.json", mimeType: "application/json", buffer: Buffer.from("Dear diary") });
    await hers.getByText("Not a chat export").waitFor();
  });

  it("shows what is shared, and withdraws it", async () => {
    const id = await store("Shown to all");
    const shared = await api<{ share_id: string }>("POST", `/api/v1/chats/${id}/share`, { access_grants: [] });
    const page = await open("/settings/data", ada, { theme: "dark" });
    const row = page.getByRole("row", { name: /Shown to all/ });
    await row.getByText("Only you").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await row.getByRole("button", { name: /Remove/ }).click();
    await expect.poll(() => row.count()).toBe(0);
    await page.goto(`/s/${shared.share_id}`);
    await page.getByText("This shared chat doesn't exist").waitFor();
  });
});
