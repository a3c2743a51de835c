import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";

const bo = { name: "Bo Ek", email: "bo@harbour.example", password: "another long password" };
let parley: Parley;
let browser: TestBrowser;
let token: string;
let boToken: string;

beforeAll(async () => {
  [parley, browser] = await Promise.all([
    startParley({ env: { DEFAULT_USER_ROLE: "user", MAX_PERSON_STORAGE: "3", MAX_FILES: "10" } }),
    openBrowser(),
  ]);
  ({ token } = await signUpByApi(parley.url, ada));
  ({ token: boToken } = await signUpByApi(parley.url, bo));
  for (const [name, size] of [
    ["chart.bin", 1_500_000],
    ["log.txt", 900_000],
    ["note.txt", 12],
  ] as const)
    await upload(boToken, name, size);
  await upload(token, "plan.txt", 500_000);
  const { id } = await callApi<{ id: string }>(parley.url, token, "POST", "/api/v1/organizations", { name: "Pier" });
  await callApi(parley.url, token, "PATCH", `/api/v1/organizations/${id}`, { max_storage: 2000 });
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
});

async function upload(as: string, name: string, size: number): Promise<number> {
  const form = new FormData();
  form.append("file", new Blob(["x".repeat(size)]), name);
  const headers = { authorization: `Bearer ${as}` };
  return (await fetch(`${parley.url}/api/v1/files/?process=false`, { method: "POST", headers, body: form })).status;
}

async function open(path: string, account = ada, options: PageOptions = {}): Promise<Page> {
  const page = await browser.openPage({ baseURL: parley.url, ...options });
  await signInContext(page, parley.url, account);
  await page.goto(path);
  await page.locator("main h1").first().waitFor();
  return page;
}
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test("people see what they use and their largest files, and make room", async () => {
  const page = await open("/settings/storage", bo);
  const meter = page.getByRole("meter", { name: "Files", exact: true });
  await expect.poll(() => meter.getAttribute("aria-valuetext")).toBe("2.4 MB of 3 MB");
  await expect
    .poll(() => page.getByRole("meter", { name: "Number of files" }).getAttribute("aria-valuetext"))
    .toBe("3 of 10");
  await expect.poll(() => page.getByRole("row").nth(1).textContent()).toContain("chart.bin");
  expect(await findViolations(page)).toEqual([]);
  expect(await upload(boToken, "more.bin", 700_000)).toBe(413);

  await row(page, "chart.bin").getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete chart.bin?" });
  await dialog.getByRole("button", { name: "Delete file" }).click();
  await page.getByText("chart.bin was deleted.").waitFor();
  await expect.poll(() => meter.getAttribute("aria-valuetext")).toBe("900 kB of 3 MB");
  await expect.poll(() => row(page, "chart.bin").count()).toBe(0);
  expect(await upload(boToken, "more.bin", 700_000)).toBe(200);
});

test("a full storage says so where a file is attached", async () => {
  const page = await open("/", bo);
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles({
      name: "large.bin",
      mimeType: "application/octet-stream",
      buffer: Buffer.alloc(2_900_000, 1),
    });
  const note = page.getByText(/Your storage is full/).first();
  await note.waitFor();
  await expect.poll(() => note.textContent()).toContain("1.6 MB of 3 MB are used");
});

test("administrators see who stores most, and give an organization a limit", async () => {
  const page = await open("/admin/storage");
  await row(page, "Bo Ek").first().waitFor();
  await expect.poll(() => page.getByRole("row").nth(1).textContent()).toContain("Bo Ek");
  await expect.poll(() => row(page, "Pier").textContent()).toContain("2 GB");
  expect(await findViolations(page)).toEqual([]);

  await pressLink(page, "/admin/people?order=storage_bytes");
  await row(page, "Bo Ek").waitFor();
  await expect.poll(() => page.getByRole("row").nth(1).textContent()).toContain("1.6 MB");

  await pressLink(page, "/admin/organizations");
  await page.getByRole("link", { name: "Pier" }).click();
  const limit = page.getByLabel("Limit (MB)");
  await expect.poll(() => limit.inputValue()).toBe("2000");
  await limit.fill("many");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => limit.getAttribute("aria-invalid")).toBe("true");
  await limit.fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The organization was saved.").waitFor();
  await pressLink(page, "/admin/storage");
  await expect.poll(() => row(page, "Pier").textContent()).toContain("None");
});

test.each([
  ["desktop", "light"],
  ["desktop", "dark"],
  ["phone", "light"],
  ["phone", "dark"],
] as const)("the pages fit: %s, %s", async (size, theme) => {
  for (const [path, account] of [
    ["/settings/storage", bo],
    ["/admin/storage", ada],
  ] as const) {
    const page = await open(path, account, { size, theme });
    await page.getByRole("row").nth(1).waitFor();
    await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(0);
  }
});
