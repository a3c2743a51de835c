import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAuthorizationServer, type AuthorizationServer } from "../fixtures/oidc/start-authorization-server.ts";
import { answering, startProvider, type Provider } from "../models/provider.ts";
import { boats, serving } from "../plugins/tool-servers/documents.ts";
import { startMcpServer, type McpServerUnderTest } from "../plugins/tool-servers/mcp/mcp-server.ts";
import { startParley, type Parley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi, type Account } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";

const bo: Account = { name: "Bo Fischer", email: "bo@harbour.example", password: "correct horse battery" };
const everyone = [{ principal_type: "user", principal_id: "*", permission: "read" }];

let parley: Parley;
let browser: TestBrowser;
let charts: McpServerUnderTest;
let calendar: McpServerUnderTest;
let gate: AuthorizationServer;
let harbour: Provider;
let token: string;

beforeAll(async () => {
  charts = await startMcpServer();
  calendar = await startMcpServer();
  gate = await startAuthorizationServer(calendar.url);
  harbour = await startProvider(serving(boats, answering(200, "{}")));
  calendar.intercept(async (request) => {
    const metadata = `${calendar.origin}/.well-known/oauth-protected-resource/mcp`;
    if (request.url === metadata)
      return Response.json({ resource: calendar.url, authorization_servers: [gate.issuer] });
    const shown = request.headers.get("authorization")?.replace("Bearer ", "");
    if (shown !== undefined && (await gate.look(shown))) return undefined;
    const challenge = `Bearer resource_metadata="${metadata}", scope="tools"`;
    return new Response("{}", { status: 401, headers: { "www-authenticate": challenge } });
  });
  const hosts = [gate.issuer, charts.origin].map((origin) => new URL(origin).host).join(",");
  parley = await startParley({ env: { OUTBOUND_ALLOWED_PRIVATE_HOSTS: hosts, DEFAULT_USER_ROLE: "user" } });
  browser = await openBrowser();
  ({ token } = await signUpByApi(parley.url, ada));
  await call("POST", "/api/v1/auths/admin/config", { ENABLE_SIGNUP: true });
  await signUpByApi(parley.url, bo);
});
afterAll(async () => {
  await browser?.close();
  await parley?.stop();
  await Promise.all([charts?.close(), calendar?.close(), gate?.close(), harbour?.close()]);
});

const call = <T>(method: string, path: string, body?: object) => callApi<T>(parley.url, token, method, path, body);

async function open(path: string, as = ada, size: "desktop" | "phone" = "desktop"): Promise<Page> {
  const page = await browser.openPage({ baseURL: parley.url, size });
  await signInContext(page, parley.url, as);
  await page.goto(path);
  return page;
}

test("an administrator adds a server: tests it, chooses functions and people, and changes it later", async () => {
  for (const { id } of await call<{ id: string }[]>("GET", "/api/v1/tool-servers"))
    await call("DELETE", `/api/v1/tool-servers/${id}`);
  const page = await open("/admin/tool-servers");
  await page.getByText("No tool servers yet.").waitFor();
  await page.getByRole("link", { name: "Add a tool server" }).click();
  await page.getByRole("button", { name: "Test the server" }).click();
  await page.getByText("Enter an address such as https://tools.harbour.example.").waitFor();
  await page.getByRole("radio", { name: /^MCP/ }).check();
  await page.getByLabel("Address", { exact: true }).fill(`${charts.origin}/nothing-here`);
  charts.intercept((request) =>
    request.url.endsWith("/nothing-here") ? new Response("", { status: 404 }) : undefined,
  );
  await page.getByRole("button", { name: "Test the server" }).click();
  await page.getByText("No MCP server at").waitFor();
  await page.getByLabel("Address", { exact: true }).fill(charts.url);
  await page.getByText("You made changes after the test.").waitFor();
  await page.getByRole("button", { name: "Test the server" }).click();
  await page.getByText(/It works: 7 functions in/).waitFor();
  await page.getByLabel("Only selected functions").check();
  await page.getByRole("checkbox", { name: /^throw/ }).uncheck();
  await page.getByLabel("Everyone who is signed in").check();
  await page.getByRole("button", { name: "Save tool server" }).click();
  await page.getByText("Harbour was added.").waitFor();
  const row = page.getByRole("row", { name: /Harbour/ });
  await row.getByText("7 functions").locator("visible=true").waitFor();
  await expect.poll(() => row.textContent()).toContain("Everyone");

  await row.getByRole("link", { name: "Harbour" }).click();
  await page.getByText("Test the server to choose from its functions.").waitFor();
  await expect.poll(() => page.getByRole("checkbox").count()).toBe(6);
  await page.getByLabel("Authentication").selectOption("One key for everyone");
  await page.getByLabel("Key", { exact: true }).fill("key-of-the-harbour");
  await page.getByLabel("Name", { exact: true }).fill("Charts");
  await page.getByText("Changed: name, sign-in, and key").waitFor();
  await page.getByRole("button", { name: "Save tool server" }).click();
  await page.getByText("The tool server was saved.").waitFor();
  await page.getByText("A key is stored.").waitFor();
  await page.getByLabel("Only administrators").check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Access was saved.").waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Charts" }).waitFor();
  await expect.poll(() => page.getByLabel("Only administrators").isChecked()).toBe(true);
  await expect.poll(() => page.getByLabel("Key", { exact: true }).inputValue()).toBe("");

  await page.getByRole("button", { name: "Delete server and key" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete server and key" }).click();
  await page.getByText("The tool server Charts was deleted.").waitFor();
  await page.getByText("No tool servers yet.").waitFor();
});

const offerCalendar = () =>
  call("POST", "/api/v1/tool-servers", {
    kind: "mcp",
    url: calendar.url,
    name: "Calendar",
    auth_type: "oauth",
    access_grants: everyone,
  });

test("a person connects to a server with an account of theirs, and lets go of it again", async () => {
  await offerCalendar();
  const page = await open("/settings/tools", bo);
  await page.getByText("Not connected").waitFor();
  await expect.poll(() => page.getByText("Your own servers").count()).toBe(0);
  await page.getByRole("button", { name: "Connect to Calendar" }).click();
  await page.locator('input[name="login"]').fill("bo");
  await page.locator('input[name="password"]').fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Calendar is connected.").waitFor();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/settings/tools");
  await page.getByText("Connected", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Disconnect from Calendar" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
  await page.getByText("Calendar is disconnected.").waitFor();
  await page.getByText("Not connected").waitFor();
});

test("a person adds a server of their own where that is allowed", async () => {
  await offerCalendar();
  const page = await open("/settings/tools", bo);
  await page.getByText("Servers you can connect to").waitFor();
  await expect.poll(() => page.getByRole("link", { name: "Add a server" }).count()).toBe(0);
  await call("POST", "/api/v1/users/default/permissions", { features: { direct_tool_servers: true } });
  await page.reload();
  await page.getByRole("link", { name: "Add a server" }).first().click();
  await page.getByRole("radio", { name: /^MCP/ }).check();
  await page.getByLabel("Address", { exact: true }).fill("http://127.0.0.1:1/mcp");
  await page.getByRole("button", { name: "Test the server" }).click();
  await page.getByText("127.0.0.1 is not a public address").waitFor();
  await expect.poll(() => page.getByLabel("Authentication").textContent()).not.toContain("session");
  await page.getByLabel("Address", { exact: true }).fill(charts.url);
  await page.getByRole("button", { name: "Test the server" }).click();
  await page.getByText(/It works: 7 functions in/).waitFor();
  await page.getByLabel("Name", { exact: true }).fill("My charts");
  await page.getByRole("button", { name: "Save tool server" }).click();
  await page.getByText("My charts was added.").waitFor();
  await page.getByRole("link", { name: "Edit My charts" }).click();
  await page.getByRole("heading", { name: "My charts" }).waitFor();
  await expect.poll(() => page.getByText("Who can use it").count()).toBe(0);
});

describe.each(["desktop", "phone"] as const)("on a %s, light and dark,", (size) => {
  test("no page of these breaks WCAG 2.1 AA or scrolls sideways", async () => {
    const made = await call<{ id: string }>("POST", "/api/v1/tool-servers", {
      url: harbour.origin,
      name: `Boats ${size}`,
      auth_type: "bearer",
      key: "key-1234",
      headers: { "X-Team": "blue" },
      functions: ["get_boat"],
      access_grants: everyone,
    });
    const page = await open("/admin/tool-servers", ada, size);
    const found: Record<string, string[]> = {};
    const check = async (name: string) => {
      const violations = await findViolations(page);
      if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
        violations.push("the page is wider than the window");
      await page.emulateMedia({ colorScheme: "dark" });
      violations.push(...(await findViolations(page, ["color-contrast"])).map((violation) => `dark: ${violation}`));
      await page.emulateMedia({ colorScheme: "light" });
      if (violations.length > 0) found[name] = violations;
    };
    const go = async (path: string) => {
      await page.goto(path);
      await page.locator("main h1").waitFor();
      await expect.poll(() => page.locator('[role="status"][aria-label="Loading"]').count()).toBe(0);
    };
    for (const path of [
      "/admin/tool-servers",
      "/admin/tool-servers/new",
      "/admin/tool-servers/gone",
      "/settings/tools",
      "/settings/tools?connect_error=denied",
      "/settings/tool-servers/new",
    ]) {
      await go(path);
      await check(path);
    }
    await go(`/admin/tool-servers/${made.id}`);
    await page.getByRole("button", { name: "Test the server" }).click();
    await page.getByText(/It works: 2 functions in/).waitFor();
    await check("tested");
    await page.getByLabel("Authentication").selectOption("Each person connects (OAuth)");
    await page.getByLabel("Client ID").fill("parley");
    await check("oauth");
    expect(found).toEqual({});
  });
});
