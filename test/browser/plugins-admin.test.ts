import { afterAll, beforeAll, expect, test } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";

let parley: Parley;
let browser: TestBrowser;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), openBrowser()]);
  await signUpByApi(parley.url, ada);
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
});

async function openAdmin(path: string, size: "desktop" | "phone" = "desktop") {
  const page = await browser.openPage({ baseURL: parley.url, size });
  const complaints: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => void complaints.push(error.message));
  await signInContext(page, parley.url, ada);
  await page.goto(path);
  return { page, complaints };
}

test("a function is made from an example, checked, saved, set up, tried, changed, and brought back to its first version", async () => {
  const { page, complaints } = await openAdmin("/admin/functions");
  await page.getByText("No functions yet").waitFor();
  await page.getByRole("link", { name: "New function" }).first().click();
  await page.getByLabel("Start with").selectOption("House style");
  await expect.poll(() => page.getByLabel("ID", { exact: true }).inputValue()).toBe("house_style");
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("This is a filter").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/admin/functions/house_style");
  expect(await findViolations(page)).toEqual([]);

  await page.getByRole("navigation", { name: "Parts of this plugin" }).getByRole("link", { name: "Settings" }).click();
  await page.getByLabel("Rules").fill("No emojis, ever.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Settings saved").waitFor();

  await page.getByRole("link", { name: "Try", exact: true }).click();
  await page.getByLabel("Function").selectOption("inlet");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("No emojis, ever.").waitFor();
  await page.getByText("No events were sent.").waitFor();
  expect(await findViolations(page)).toEqual([]);

  await page.getByRole("link", { name: "Code", exact: true }).click();
  const source = page.getByRole("textbox", { name: "Source" });
  await source.press("ControlOrMeta+End");
  await source.pressSequentially("\nconst = 1;");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("region", { name: "1 problem" }).waitFor();
  await source.press("ControlOrMeta+z");
  await source.press("ControlOrMeta+a");
  await source.pressSequentially("export default class Filter { inlet(body) { return body; } }");
  await source.press("ControlOrMeta+s");
  await page.getByText("Saved as version 2").waitFor();

  await page.getByRole("link", { name: "Versions" }).click();
  await page.getByRole("row", { name: /^1 / }).getByRole("button", { name: "Open in the editor" }).click();
  await page.getByText("Version 1 is in the editor").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved as version 3").waitFor();
  await page.getByText("how the house writes").first().waitFor();
  // What was typed wrong was refused by the service, which the browser notes.
  expect(complaints.filter((text) => !text.includes("status of 400"))).toEqual([]);

  await page.getByRole("link", { name: "Functions" }).first().click();
  await page.getByRole("switch", { name: "Use House style", exact: true }).click();
  await page.getByText("House style is on").waitFor();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page
      .getByRole("button", { name: "Actions for House style" })
      .click()
      .then(() => page.getByRole("menuitem", { name: "Export as a file" }).click()),
  ]);
  const path = await file.path();
  await page.getByRole("button", { name: "Actions for House style" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete the plugin" }).click();
  await page.getByText("No functions yet").waitFor();
  await page.getByLabel("Import a file").setInputFiles(path);
  await page.getByRole("link", { name: "House style" }).waitFor();
});

test("tools and packages fit on a phone", async () => {
  const { page, complaints } = await openAdmin("/admin/tools/new", "phone");
  await page.getByLabel("Start with").selectOption("Time zones");
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/admin/tools/time_zones");
  for (const address of ["/admin/tools", "/admin/tools/time_zones?tab=access", "/admin/packages"]) {
    await page.goto(address);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await findViolations(page)).toEqual([]);
  }
  await page.goto("/admin/models/new");
  const tools = page.getByRole("group", { name: "Tools it can call" });
  await tools.getByRole("checkbox", { name: "Time zones" }).check();
  expect(await findViolations(page)).toEqual([]);
  await page.goto("/admin/tools/nothing");
  await page.getByText("This plugin doesn't exist.").waitFor();
  expect(complaints.filter((text) => !text.includes("status of 404"))).toEqual([]);
});
