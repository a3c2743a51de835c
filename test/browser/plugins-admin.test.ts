import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeWheel } from "../plugins/wheels.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";
import { takePicture } from "./take-picture.ts";

let parley: Parley;
let browser: TestBrowser;
let token: string;
/** Another site, with one tool. */
let site: Server;
let host: string;
let served = "";
/** What the site has as a registry of packages, by path. */
const registry = new Map<string, Uint8Array | string>();

/** Puts a package into the registry. */
function publish(name: string, version: string, module: string, requires: string[] = []): void {
  const head = `Metadata-Version: 2.4\nName: ${name}\nVersion: ${version}\nLicense-Expression: MIT\nSummary: A package of ${name}`;
  const metadata = `${[head, ...requires.map((each) => `Requires-Dist: ${each}`)].join("\n")}\n\n`;
  const wheel = makeWheel(name, version, { [`${name.replaceAll("-", "_")}/__init__.py`]: module }, metadata);
  const filename = `${name.replaceAll("-", "_")}-${version}-py3-none-any.whl`;
  const sha256 = createHash("sha256").update(wheel).digest("hex");
  const file = { filename, url: `/files/${filename}`, hashes: { sha256 }, size: wheel.length, "core-metadata": true };
  registry.set(`/simple/${name}/`, JSON.stringify({ meta: { "api-version": "1.1" }, name, files: [file] }));
  registry.set(`/files/${filename}`, wheel);
  registry.set(`/files/${filename}.metadata`, metadata);
}
const calling = (version: string, name: string) => `/**
 * title: Weather
 * author: Ada
 * version: ${version}
 * license: MIT
 */
export class Tools {
  /** The weather of now. */
  async now() {
    const answer = await fetch("https://${name}/now");
    return answer.text();
  }
}
`;

beforeAll(async () => {
  site = createServer((request, response) => {
    const found = request.url === "/weather.ts" ? served : registry.get(request.url ?? "");
    if (found !== undefined) response.end(found);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  [parley, browser] = await Promise.all([
    startParley({
      env: { OUTBOUND_ALLOWED_PRIVATE_HOSTS: host, PLUGIN_PACKAGE_REGISTRIES: `http://${host}/simple/` },
    }),
    openBrowser(),
  ]);
  ({ token } = await signUpByApi(parley.url, ada));
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
  site.close();
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
  // Somebody else has switched it off, and this page does not know: it is off for both.
  await callApi(parley.url, token, "POST", "/api/v1/functions/id/house_style/toggle");
  await page.getByRole("switch", { name: "Use House style", exact: true }).click();
  await page.getByText("House style is off").waitFor();
  expect(await callApi(parley.url, token, "GET", "/api/v1/functions/id/house_style")).toMatchObject({
    is_active: false,
  });
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
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Import" }).click();
  await page.getByLabel("Choose files").setInputFiles(path);
  await page.getByText("No hosts in the source.").waitFor();
  await page.getByRole("button", { name: "Save 1 plugin" }).click();
  await page.getByRole("link", { name: "House style" }).click();
  await page.getByRole("textbox", { name: "Source" }).waitFor();
});

test("a tool is looked at, imported, allowed a host with one click, limited, updated, and switched off", async () => {
  served = calling("1.0", "api.weather.example");
  const { page, complaints } = await openAdmin("/admin/tools/import");
  await page.getByLabel("Address").fill(`http://${host}/weather.ts`);
  await page.getByRole("button", { name: "Show contents" }).click();
  await page.getByText("Hosts in the source: api.weather.example").waitFor();
  await page.getByText("License: MIT").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "plugins-import", true);
  await page.getByRole("button", { name: "Save 1 plugin" }).click();
  await page.getByRole("link", { name: "Weather" }).click();
  await page.getByRole("link", { name: "Access and use" }).click();

  await page.getByText("None. It has no network access.").waitFor();
  await page.getByRole("button", { name: "Allow api.weather.example" }).click();
  await page.getByText("api.weather.example is allowed").waitFor();
  await page.getByText("The source contains these hosts.").waitFor({ state: "detached" });
  await page.getByLabel("Calls per minute").fill("none");
  await page.getByText("Enter a whole number greater than 0, or nothing.").waitFor();
  await page.getByLabel("Calls per minute").fill("20");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Budget saved").waitFor();
  await page.getByText("No calls in the last 35 days.").waitFor();
  expect(await findViolations(page)).toEqual([]);

  await page.getByRole("button", { name: "Check for updates" }).click();
  await page.getByText("This is the latest version.").waitFor();
  served = calling("1.1", "spy.example");
  await page.getByRole("button", { name: "Check for updates" }).click();
  const dialog = page.getByRole("dialog", { name: "Update for Weather" });
  await dialog.getByText("New hosts in the source, not allowed yet: spy.example").waitFor();
  await dialog.getByText("Version 1.0 becomes 1.1.").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "plugins-update", true);
  await dialog.getByRole("button", { name: "Save as new version" }).click();
  await page.getByText("Updated to version 2").waitFor();
  await page.getByRole("button", { name: "Allow spy.example" }).waitFor();
  await page.getByRole("switch", { name: "Switched on" }).click();
  await page.getByText("Nobody: it's off").waitFor();
  await takePicture(page, "plugins-use", true);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await takePicture(page, "plugins-use-phone", true);
  expect(complaints).toEqual([]);
});

test("packages that a source needs are offered, shown with what they need, fetched, and used", async () => {
  publish("tide-table", "2.1", "import moon_phase\nHIGH = moon_phase.FULL + 1\n", ["moon-phase>=1"]);
  publish("moon-phase", "1.4", "FULL = 41\n");
  const { page, complaints } = await openAdmin("/admin/tools/new");
  await page.getByLabel("Name", { exact: true }).fill("Tides");
  const source = page.getByRole("textbox", { name: "Source" });
  await source.fill(
    'import tide_table\n\nclass Tools:\n    def high(self) -> int:\n        """High water."""\n        return tide_table.HIGH\n',
  );
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/admin/tools/tides");
  await page.getByText("This source needs packages that aren't here: tide-table.").waitFor();
  await takePicture(page, "packages-offer");
  await page.getByRole("button", { name: "Get packages" }).click();
  const dialog = page.getByRole("dialog", { name: "Get packages" });
  await dialog.getByText("2 packages").first().waitFor();
  await dialog.getByText("Needed by tide-table").waitFor();
  await dialog.getByText("License: MIT").first().waitFor();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "packages-plan");
  await dialog.getByRole("button", { name: "Download 2 packages" }).click();
  await page.getByText("2 packages added").waitFor();
  await page.getByRole("region", { name: /problem/ }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Try", exact: true }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("42", { exact: true }).waitFor();

  await page.setViewportSize({ width: 390, height: 800 });
  await pressLink(page, "/admin/packages");
  await page.getByText("moon_phase-1.4-py3-none-any.whl").waitFor();
  await page.getByText("Done").waitFor();
  await page.getByRole("button", { name: "Get packages" }).press("Enter");
  await dialog.getByRole("button", { name: "Find packages" }).click();
  await dialog.getByText("Enter at least one package.").waitFor();
  await dialog.getByLabel("Packages").fill("tide-table, moon-phase>=1,<3");
  await page.keyboard.press("Enter");
  await dialog.getByText("Everything is there already.").waitFor();
  await dialog.getByRole("button", { name: "Back" }).click();
  await dialog.getByLabel("Packages").fill("reqeusts");
  await page.keyboard.press("Enter");
  await dialog.getByText("no allowed registry has reqeusts").waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "packages-phone");
  expect(complaints.filter((text) => !/status of 4(00|09)/.test(text))).toEqual([]);
});

test("packages that imported plugins need are offered, and one that can't be had can be left out", async () => {
  publish("star-chart", "1.0", "NORTH = 'Polaris'\n");
  const { page } = await openAdmin("/admin/tools/import");
  await page.getByLabel("Choose files").setInputFiles({
    name: "stars.py",
    mimeType: "text/plain",
    buffer: Buffer.from(
      'import star_chart\n\nclass Tools:\n    def north(self) -> str:\n        """The north star."""\n        import missing_moon\n        return star_chart.NORTH\n',
    ),
  });
  await page.getByText("The plugins below need packages that aren't here: star-chart and missing-moon.").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "plugins-import-packages");
  await page.getByRole("button", { name: "Get packages" }).click();
  const dialog = page.getByRole("dialog", { name: "Get packages" });
  await dialog.getByText("no allowed registry has missing-moon").waitFor();
  await takePicture(page, "packages-left-out");
  await dialog.getByLabel("Packages").fill("star-chart");
  await dialog.getByRole("button", { name: "Find packages" }).click();
  await dialog.getByRole("button", { name: "Download 1 package" }).click();
  await page.getByText("1 package added").waitFor();
  await page.getByRole("button", { name: "Save 1 plugin" }).click();
  await page.getByRole("link", { name: "stars" }).waitFor();
});

test("what is wrong with an import is said, and nothing of it is stored", async () => {
  const { page } = await openAdmin("/admin/functions/import", "phone");
  await page.getByLabel("Choose files").setInputFiles([
    { name: "broken.ts", mimeType: "text/plain", buffer: Buffer.from("export class Pipe { pipe( }") },
    { name: "empty.json", mimeType: "application/json", buffer: Buffer.from("[]") },
  ]);
  await page.getByText("Can't be imported").waitFor();
  await page.getByText("empty.json: This file has no plugins in it").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Save 0 plugins" }).isDisabled()).toBe(true);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "plugins-import-phone", true);
  await page.getByLabel("Address").fill(`http://${host}/nothing`);
  await page.getByRole("button", { name: "Show contents" }).click();
  await page.getByRole("alert").getByText("The contents couldn't be shown").waitFor();
});

test("tools and packages fit on a phone", async () => {
  const { page, complaints } = await openAdmin("/admin/tools/new", "phone");
  await page.getByLabel("Start with").selectOption("Time zones");
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/admin/tools/time_zones");
  for (const address of ["/admin/tools", "/admin/tools/time_zones?tab=access", "/admin/packages"]) {
    await page.goto(address);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await findViolations(page)).toEqual([]);
  }
  await pressLink(page, "/admin/models/new");
  const tools = page.getByRole("group", { name: "Tools it can call" });
  await tools.getByRole("checkbox", { name: "Time zones" }).check();
  expect(await findViolations(page)).toEqual([]);
  await page.goto("/admin/tools/nothing");
  await page.getByText("This plugin doesn't exist.").waitFor();
  expect(complaints.filter((text) => !text.includes("status of 404"))).toEqual([]);
});
