import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { type Account, ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";

const grace: Account = { name: "Grace Hopper", email: "grace@harbour.example", password: "correct horse battery" };

let parley: Parley;
let browser: TestBrowser;
let token: string;
let folder: string;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley({ env: { DEFAULT_USER_ROLE: "user" } }), openBrowser()]);
  ({ token } = await signUpByApi(parley.url, ada));
  await signUpByApi(parley.url, grace);
  folder = mkdtempSync(path.join(tmpdir(), "parley-knowledge-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
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

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const tides = "# Tides\n\nThe harbour closes at 22:30 when the wind is above force 7.\n";

describe("a knowledge base", () => {
  it("is made, filled with files and a folder, searched, shared, and deleted", async () => {
    const { items } = await api<{ items: { id: string }[] }>("GET", "/api/v1/knowledge/");
    for (const { id } of items) await api("DELETE", `/api/v1/knowledge/${id}/delete`);
    const page = await open("/knowledge");
    await page.getByText("No knowledge bases yet").waitFor();
    await page.getByRole("link", { name: "New knowledge base" }).first().click();
    await page.getByLabel("Name", { exact: true }).fill("Harbour rules");
    await page.getByRole("button", { name: "Create knowledge base" }).click();
    await page.getByText("No files yet").waitFor();

    await page
      .getByLabel("Add files")
      .and(page.locator("input"))
      .setInputFiles([write("tides.md", tides), write("empty.txt", ""), write("broken.pdf", "%PDF-1.4\nnonsense")]);
    await page.getByText("empty.txt is empty.").waitFor();
    await page.getByRole("row", { name: /tides\.md Searchable/ }).waitFor();
    // What cannot be read says why, and can be left out.
    await page.getByText("damaged").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove broken.pdf" }).click();
    await expect.poll(() => page.getByText("damaged").count()).toBe(0);

    write("handbook/fees/mooring.csv", "boat,fee\nAda,12\n");
    await page.getByLabel("Add a folder").setInputFiles(path.join(folder, "handbook"));
    await page.getByRole("link", { name: "handbook" }).click();
    await page.getByRole("link", { name: "fees" }).click();
    await page.getByRole("row", { name: /mooring\.csv.*Searchable/ }).waitFor();
    await page.reload();
    await page.getByRole("navigation", { name: "Folders" }).getByText("fees").waitFor();

    await page.getByLabel("Question").fill("When does the harbour close?");
    await page.getByRole("button", { name: "Search", exact: true }).last().click();
    await page.getByRole("button", { name: "tides.md" }).click();
    const panel = page.getByRole("complementary", { name: "File" });
    await panel.locator("mark").filter({ hasText: "22:30" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.goBack();
    await expect.poll(() => panel.count()).toBe(0);

    await page.getByLabel("Everyone who is signed in").check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The change applies now").waitFor();
    const hers = await open("/knowledge", grace, { size: "phone", theme: "dark" });
    await hers.getByRole("link", { name: "Harbour rules" }).click();
    await hers.getByText("You can ask about these files, but not change them").waitFor();
    await expect.poll(() => hers.getByRole("button", { name: "Add files" }).count()).toBe(0);
    expect(await findViolations(hers)).toEqual([]);

    await page.getByRole("button", { name: "Delete knowledge base" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete knowledge base" }).click();
    await page.waitForURL("**/knowledge");
    await hers.reload();
    await hers.getByText("isn't shared with you").waitFor();
  });

  it("shows a file that is read while its lists are loaded", async () => {
    const { id } = await api<{ id: string }>("POST", "/api/v1/knowledge/create", { name: "Quick", description: "" });
    const page = await open(`/knowledge/${id}`);
    await page.getByText("No files yet").waitFor();
    const isRead = async () =>
      (await api<{ items: unknown[] }>("GET", `/api/v1/knowledge/${id}/files`)).items.length === 1;
    // The list of files that wait is asked once the file has been read, that of the others at once.
    await page.route("**/files/pending", async (route) => {
      await expect.poll(isRead).toBe(true);
      await route.continue();
    });
    await page
      .getByLabel("Add files")
      .and(page.locator("input"))
      .setInputFiles([write("quick.md", tides)]);
    await page.getByRole("row", { name: /quick\.md Searchable/ }).waitFor();
  });

  it("has folders that are made, renamed and deleted, and files that are moved, renamed and taken out", async () => {
    const { id } = await api<{ id: string }>("POST", "/api/v1/knowledge/create", { name: "Berths", description: "" });
    const page = await open(`/knowledge/${id}`);
    await page.getByLabel("Add files").and(page.locator("input")).setInputFiles(write("berths.txt", "Berth 4 is dry."));
    await page.getByRole("row", { name: /berths\.txt Searchable/ }).waitFor();
    await page.getByRole("button", { name: "More ways to add" }).click();
    await page.getByRole("menuitem", { name: "New folder" }).click();
    await page.getByLabel("Folder name").fill("North");
    await page.getByRole("button", { name: "Create folder" }).click();
    await page.getByRole("link", { name: "North" }).waitFor();

    const choose = async (of: string, item: string) => {
      await page.getByRole("button", { name: `Actions for ${of}` }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await choose("berths.txt", "Rename");
    await page.getByLabel("New name").fill("north berths.txt");
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    await choose("north berths.txt", "Move …");
    await page.getByLabel("Move to").selectOption("North");
    await page.getByRole("dialog").getByRole("button", { name: "Move" }).click();
    await expect.poll(() => page.getByRole("link", { name: "north berths.txt" }).count()).toBe(0);
    await choose("North", "Rename");
    await page.getByLabel("New name").fill("Northern pier");
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    await page.getByRole("link", { name: "Northern pier" }).click();
    await choose("north berths.txt", "Remove");
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("No files yet").waitFor();
    await page.getByRole("link", { name: "All files" }).click();
    await choose("Northern pier", "Delete folder");
    await page.getByRole("dialog").getByRole("button", { name: "Delete folder" }).click();
    await expect.poll(() => page.getByRole("link", { name: "Northern pier" }).count()).toBe(0);
  });
});

describe("a model", () => {
  it("is given knowledge for everyone and for one organization, each on its own", async () => {
    await api("POST", "/api/v1/knowledge/create", { name: "Mooring fees", description: "" });
    await api("POST", "/api/v1/organizations/", { name: "North pier" });
    await api("POST", "/api/v1/models/create", {
      id: "harbour-desk",
      base_model_id: "somewhere",
      name: "Harbour desk",
      meta: {},
      params: {},
    });
    const page = await open("/admin/models/edit?id=harbour-desk");
    const card = page.getByRole("form", { name: "Knowledge" });
    const add = async () => {
      await card.getByLabel("Find a knowledge base").first().fill("fees");
      await card.getByRole("button", { name: "Mooring fees" }).click();
      await card.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("from the next answer").first().waitFor();
    };
    await add();
    await card.getByLabel("Available to").selectOption("North pier");
    await card.getByText("None yet.").waitFor();
    await add();
    expect(await findViolations(page)).toEqual([]);
    await page.reload();
    await card.getByRole("link", { name: "Mooring fees" }).waitFor();
    await card.getByLabel("Available to").selectOption("North pier (1)");
    await card.getByRole("button", { name: "Remove Mooring fees" }).click();
    await card.getByRole("button", { name: "Save", exact: true }).click();
    await card.getByText("None yet.").waitFor();
    const { everyone, organizations } = await api<{ everyone: unknown[]; organizations: { items: unknown[] }[] }>(
      "GET",
      "/api/v1/models/model/knowledge?id=harbour-desk",
    );
    expect(everyone).toHaveLength(1);
    expect(organizations.flatMap(({ items }) => items)).toEqual([]);
  });
});

describe("the page about documents", () => {
  it("says that only words are found while no embedding model is chosen, and keeps what is set", async () => {
    const page = await open("/admin/documents");
    await page.getByText("No embedding model is selected").waitFor();
    await page.getByLabel("Passage length (characters)").fill("800");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("saved. The changes apply now.").waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel("Passage length (characters)").inputValue()).toBe("800");
  });
});
