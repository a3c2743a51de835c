import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ConnectionView } from "../../src/models/connections/schema.ts";
import { answering, listing, type Provider, startProvider } from "../models/provider.ts";
import { startParley, type Parley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";

let parley: Parley;
let browser: TestBrowser;
let provider: Provider;
let token: string;
beforeAll(async () => {
  provider = await startProvider((request, response) =>
    (request.method === "POST"
      ? answering(400, '{"error":{"message":"Unsupported parameter: max_tokens","code":"unsupported_parameter"}}')
      : listing("tide"))(request, response),
  );
  parley = await startParley();
  browser = await openBrowser();
  ({ token } = await signUpByApi(parley.url, ada));
});
afterAll(async () => {
  await browser?.close();
  await parley?.stop();
  await provider?.close();
});

const call = <T>(method: string, path: string, body?: object) => callApi<T>(parley.url, token, method, path, body);
async function open(path: string, size: "desktop" | "phone" = "desktop"): Promise<Page> {
  const page = await browser.openPage({ baseURL: parley.url, size });
  await signInContext(page, parley.url, ada);
  await page.goto(path);
  return page;
}
const stored = async (name: string) =>
  (await call<ConnectionView[]>("GET", "/api/v1/connections")).find((each) => each.name === name);

test("a well-known provider is filled in with what is known of it", async () => {
  const page = await open("/admin/connections/new");
  const name = page.getByLabel("Name", { exact: true });
  await page.getByLabel("Provider", { exact: true }).selectOption("Mistral");
  await expect.poll(() => name.inputValue()).toBe("Mistral");
  await expect.poll(() => page.getByLabel("Address", { exact: true }).inputValue()).toBe("https://api.mistral.ai/v1");
  await page.getByText("Request changes").click();
  await expect.poll(() => page.getByLabel("Message fields to remove").inputValue()).toBe("name, reasoning_content");
  await expect.poll(() => page.getByLabel("Request token usage for streams").isChecked()).toBe(false);
  expect(await findViolations(page)).toEqual([]);
  await page.getByLabel("Provider", { exact: true }).selectOption("Anthropic");
  // The name is that of the provider chosen last, until somebody types one.
  await expect.poll(() => name.inputValue()).toBe("Anthropic");
  await expect.poll(() => page.getByRole("radio", { name: "Messages API" }).isChecked()).toBe(true);
  await expect.poll(() => page.getByLabel("Message fields to remove").inputValue()).toBe("");
  await name.fill("Tides");
  await page.getByLabel("Provider", { exact: true }).selectOption("Mistral");
  await expect.poll(() => name.inputValue()).toBe("Tides");
  await page.getByLabel("Provider", { exact: true }).selectOption("OpenAI");
  await page.getByLabel("Address", { exact: true }).fill(`${provider.origin}/v1`);
  await page.getByText("Retries and limits", { exact: true }).click();
  await page.getByLabel("Concurrent calls").fill("four");
  await page.getByRole("button", { name: "Save connection" }).click();
  await page.getByText("The connection couldn't be saved").waitFor();
  await page.getByLabel("Concurrent calls").fill("4");
  await page.getByRole("button", { name: "Save connection" }).click();
  await page.waitForURL("**/admin/connections?added=*");
  await expect
    .poll(() => stored("Tides"))
    .toMatchObject({
      quirks: { rename: { max_tokens: "max_completion_tokens" }, stream_options: true },
      policy: { max_concurrent: 4, attempts: 2 },
    });
});

test("options are changed one by one, and the reason for failures is shown", async () => {
  const { id } = await call<ConnectionView>("POST", "/api/v1/connections", {
    name: "Reef",
    base_url: `${provider.origin}/v1`,
    prefix_id: "reef",
    quirks: { drop: ["user"] },
  });
  const page = await open(`/admin/connections/${id}`, "phone");
  await page.getByText("No calls since the service started.").waitFor();
  await page.getByText("Request changes").click();
  await page.getByRole("button", { name: "Add a field" }).click();
  await page.getByLabel("Field", { exact: true }).fill("max_tokens");
  await page.getByLabel("Name at the provider").fill("num_predict");
  await page.getByLabel("Always send").fill('{"temperature": }');
  await page.getByRole("button", { name: "Save connection" }).click();
  await page.getByText("This is not a JSON object").first().waitFor();
  await page.getByLabel("Always send").fill('{"temperature": 1}');
  await call("PATCH", `/api/v1/connections/${id}`, { quirks: { drop: ["seed"] }, policy: { attempts: 1 } });
  await page.getByRole("button", { name: "Save connection" }).click();
  await page.getByText("The connection was saved.").waitFor();
  // What another administrator changed meanwhile stays.
  await expect
    .poll(() => stored("Reef"))
    .toMatchObject({
      quirks: { rename: { max_tokens: "num_predict" }, force: { temperature: 1 }, drop: ["seed"] },
      policy: { attempts: 1 },
    });
  const answer = await fetch(`${parley.url}/api/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ model: "reef.tide", messages: [{ role: "user", content: "When?" }] }),
  });
  expect(answer.status).toBe(400);
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("Unsupported parameter: max_tokens").waitFor();
  await page.getByText("tide · Status 400 · unsupported_parameter").waitFor();
  expect(await findViolations(page)).toEqual([]);
});

test("a provider that is left alone is marked, with the last reason", async () => {
  const { id } = await call<ConnectionView>("POST", "/api/v1/connections", {
    name: "Shoal",
    base_url: `${provider.origin}/v1`,
    prefix_id: "shoal",
    policy: { attempts: 1, breaker_failures: 1, breaker_seconds: 600 },
  });
  await call("GET", "/api/models?refresh=true");
  await provider.close();
  for (const status of [502, 503]) {
    const answer = await fetch(`${parley.url}/api/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ model: "shoal.tide", messages: [{ role: "user", content: "When?" }] }),
    });
    expect(answer.status).toBe(status);
  }
  const page = await open("/admin/connections");
  const row = page.getByRole("row").filter({ hasText: "Shoal" });
  await row
    .getByText(/Paused|Not responding/)
    .filter({ visible: true })
    .first()
    .waitFor();
  await page.goto(`/admin/connections/${id}`);
  await page.getByText(/Paused until/).waitFor();
});
