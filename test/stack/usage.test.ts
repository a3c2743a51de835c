import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { UsageCallPage, UsageReport } from "../../src/usage/schema.ts";
import { callApi, signUpByApi } from "../browser/accounts.ts";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { startParley, type Parley } from "./start-parley.ts";

let upstream: ReplayServer;
let parley: Parley;
let token: string;
let people = 0;

beforeAll(async () => {
  upstream = await startReplayServer();
  parley = await startParley({
    env: { OPENAI_API_BASE_URLS: upstream.url, DEFAULT_USER_ROLE: "user", ENABLE_TITLE_GENERATION: "false" },
  });
  ({ token } = await somebody());
});
afterAll(async () => {
  await parley?.stop();
  await upstream?.close();
});

function somebody(): Promise<{ id: string; token: string }> {
  people += 1;
  const email = `person${people}@harbour.example`;
  return signUpByApi(parley.url, { name: `Person ${people}`, email, password: "correct horse battery" });
}
const asAdmin = <T>(method: string, path: string, body?: object) => callApi<T>(parley.url, token, method, path, body);
const messages = [{ role: "user" as const, content: "What is the capital of France?" }];
const callsOf = async (as: string) =>
  (await callApi<UsageCallPage>(parley.url, as, "GET", "/api/v1/usage/calls")).calls;

test("answers of all kinds are in the ledger, whoever hears them: streams, whole ones, runs that no tab follows", async () => {
  const ada = await somebody();
  const client = new OpenAI({ baseURL: `${parley.url}/api`, apiKey: ada.token });
  await client.chat.completions.create({ model: "openai", messages });
  for await (const _ of await client.chat.completions.create({ model: "azure", messages, stream: true }));
  await callApi(parley.url, ada.token, "POST", "/api/chat/completions", {
    model: "vllm",
    session_id: "nobody",
    id: crypto.randomUUID(),
    parent_id: null,
    user_message: { id: crypto.randomUUID(), content: "What is the capital of France?" },
  });
  await expect
    .poll(async () => (await callsOf(ada.token)).map(({ model }) => model), { timeout: 20_000 })
    .toEqual(["vllm", "azure", "openai"]);
  const calls = await callsOf(ada.token);
  expect(calls.map(({ state, total }) => [state, total])).toEqual([
    ["done", 41],
    ["done", 38],
    ["done", 38],
  ]);
});

test("a caller who leaves in the middle is in the ledger as one who stopped", async () => {
  const ada = await somebody();
  const hold = upstream.holdAfter(4);
  const client = new OpenAI({ baseURL: `${parley.url}/api`, apiKey: ada.token });
  const stream = await client.chat.completions.create({ model: "openai", messages, stream: true });
  await stream[Symbol.asyncIterator]().next();
  await hold.reached;
  stream.controller.abort();
  await expect.poll(() => callsOf(ada.token), { timeout: 20_000 }).toMatchObject([{ state: "stopped" }]);
  hold.release();
});

test("a quota is told to SDKs so that they do not ask again", async () => {
  const ada = await somebody();
  const quota = { scope: "person", subject_id: ada.id, unit: "requests", period: "month", amount: 1 };
  await asAdmin("POST", "/api/v1/quotas", quota);
  const asked = () => upstream.requests.filter(({ path }) => path.endsWith("/chat/completions")).length;
  const openAi = new OpenAI({ baseURL: `${parley.url}/api`, apiKey: ada.token, maxRetries: 3 });
  await openAi.chat.completions.create({ model: "openai", messages });
  const before = asked();
  const since = performance.now();
  await expect(openAi.chat.completions.create({ model: "openai", messages })).rejects.toMatchObject({
    status: 429,
    code: "quota_exceeded",
    type: "rate_limit_error",
  });
  const anthropic = new Anthropic({ baseURL: `${parley.url}/api`, apiKey: ada.token, maxRetries: 3 });
  await expect(anthropic.messages.create({ model: "openai", max_tokens: 100, messages })).rejects.toMatchObject({
    status: 429,
    error: { type: "error", error: { type: "rate_limit_error" } },
  });
  // Each SDK would pause for half a second at least before it asks again.
  expect(performance.now() - since).toBeLessThan(30_000);
  expect(asked()).toBe(before);
});

test("what was answered is written down soon, and stays when everything is killed", async () => {
  const ada = await somebody();
  const client = new OpenAI({ baseURL: `${parley.url}/api`, apiKey: ada.token });
  await client.chat.completions.create({ model: "deepseek", messages });
  // Reads what is stored, and nothing that waits.
  const isStored = async () =>
    (await asAdmin<{ model_ids: string[] }>("GET", "/api/usage")).model_ids.includes("deepseek");
  await expect.poll(isStored, { timeout: 20_000, interval: 50 }).toBe(true);
  await parley.kill9All();
  await parley.restart();
  const { totals } = await callApi<UsageReport>(parley.url, ada.token, "GET", "/api/v1/usage");
  expect(totals).toMatchObject({ calls: 1, total: 43 });
});
