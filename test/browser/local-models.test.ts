import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startFakeRuntime, type FakeRuntime } from "../local-models/fake-runtime.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";

let runtime: FakeRuntime;
let parley: Parley;
let browser: TestBrowser;
beforeAll(async () => {
  runtime = await startFakeRuntime(["llama3.2:latest", "qwen3:4b"]);
  runtime.loaded.add("qwen3:4b");
  const env = { LOCALMODEL_BASE_URLS: `${runtime.origin};http://127.0.0.1:9` };
  [parley, browser] = await Promise.all([startParley({ env }), openBrowser()]);
  await signUpByApi(parley.url, ada);
});
afterEach(() => void (runtime.hold = () => undefined));
afterAll(async () => {
  await browser?.close();
  await parley?.stop();
  await runtime?.close();
});

async function openPage(size: "desktop" | "phone" = "desktop", theme: "light" | "dark" = "light") {
  const page = await browser.openPage({ baseURL: parley.url, size, theme });
  const complaints: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => void complaints.push(error.message));
  await signInContext(page, parley.url, ada);
  await page.goto("/admin/local-models");
  await page.getByText("llama3.2:latest").first().waitFor();
  return { page, complaints };
}

/** Lets the runtime stop in the middle of what it fetches, until it is told to go on. */
function holdInTheMiddle(): () => void {
  let goOn!: () => void;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  runtime.hold = (line) => (line < 4 ? undefined : gate);
  return goOn;
}

test("a model is fetched while the person is elsewhere, made into another one, and deleted", async () => {
  const { page, complaints } = await openPage();
  await page.getByText("127.0.0.1:9 refuses connections").waitFor();
  await page.getByRole("cell", { name: /^Loaded.*GPU · stays in memory$/ }).waitFor();

  const goOn = holdInTheMiddle();
  await page.getByRole("button", { name: "Download a model" }).click();
  const dialog = page.getByRole("dialog", { name: "Download a model" });
  await dialog.getByRole("button", { name: "Download" }).click();
  await dialog.getByText("Enter the name of a model.").waitFor();
  await dialog.getByLabel("Model", { exact: true }).fill("gemma3:1b");
  await dialog.getByRole("button", { name: "Download" }).click();
  await page.getByText(/50 bytes of 100 bytes/).waitFor();
  expect(await findViolations(page)).toEqual([]);
  // It goes on elsewhere, and is found again.
  await page.getByRole("navigation").getByRole("button", { name: "People" }).click();
  await page.getByRole("link", { name: "People" }).click();
  await page.getByRole("heading", { level: 1, name: "People" }).waitFor();
  await page.goBack();
  await page.getByText(/50 bytes of 100 bytes/).waitFor();
  goOn();
  await page.getByText("gemma3:1b is ready.").waitFor();
  await page.getByRole("button", { name: "Actions for gemma3:1b" }).click();
  await page.getByRole("menuitem", { name: "Create a model from it…" }).click();
  await page.getByLabel("Name", { exact: true }).fill("pirate");
  await page.getByLabel("Instructions").fill("Speak like a pirate.");
  await page.getByRole("button", { name: "Create model" }).click();
  await page.getByText("pirate was created.").waitFor();
  const made = runtime.seen.findLast(({ url }) => url === "/api/create")!;
  expect(JSON.parse(made.body.toString())).toEqual({
    model: "pirate",
    from: "gemma3:1b",
    system: "Speak like a pirate.",
    stream: false,
  });

  await page.getByRole("button", { name: "Actions for pirate:latest" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete the model" }).click();
  await page.getByText("pirate:latest was deleted.").waitFor();
  expect(runtime.models).toEqual(["llama3.2:latest", "qwen3:4b", "gemma3:1b"]);

  await page.getByRole("button", { name: "Actions for qwen3:4b" }).click();
  await page.getByRole("menuitem", { name: "Unload from memory" }).click();
  await page.getByText("qwen3:4b was unloaded from memory.").waitFor();
  expect([...runtime.loaded]).toEqual([]);
  await page.getByRole("button", { name: "Remove gemma3:1b from the list" }).click();
  await expect.poll(() => page.getByRole("heading", { name: "Downloads" }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("on a phone a download is stopped, and one that fails says why", async () => {
  const { page } = await openPage("phone", "dark");
  const goOn = holdInTheMiddle();
  const get = async (model: string) => {
    await page.getByRole("button", { name: "Download a model" }).click();
    await page.getByLabel("Model", { exact: true }).fill(model);
    await page.getByRole("button", { name: "Download", exact: true }).click();
  };
  await get("phi4");
  await page.getByRole("button", { name: "Stop the download of phi4" }).click();
  await page.getByText("Stopped").first().waitFor();
  goOn();
  await get("missing");
  await page.getByText("pull model manifest: file does not exist").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);
  await page.context().close();
});
