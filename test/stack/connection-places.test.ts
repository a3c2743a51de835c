import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ConnectionView } from "../../src/models/connections/schema.ts";
import { listing, type Provider, startProvider } from "../models/provider.ts";
import { type Parley, startParley } from "./start-parley.ts";

const limit = { timeout: 30_000 };
const event = (content: string) =>
  `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "tide", choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

let parley: Parley;
let provider: Provider;
let token: string;
let id: string;
/** Answers that have not ended, in the order of their calls. */
let open: ServerResponse[] = [];
let left = 0;
beforeAll(async () => {
  provider = await startProvider((request, response) => {
    if (request.method !== "POST") return listing("tide")(request, response);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(event("The ferry"));
    response.on("close", () => void (response.writableFinished || left++));
    open.push(response);
  });
  parley = await startParley();
  const account = { name: "Grace", email: "grace@harbour.example", password: "correct horse" };
  token = ((await (await post("/api/v1/auths/signup", account)).json()) as { token: string }).token;
  const connection = { base_url: `${provider.origin}/v1`, policy: { max_concurrent: 2, max_waiting: 3 } };
  ({ id } = (await (await post("/api/v1/connections", connection)).json()) as ConnectionView);
  await get("/api/models?refresh=true");
});
afterAll(async () => {
  await parley?.stop();
  await provider?.close();
});
beforeEach(() => {
  open = [];
  left = 0;
});

const headers = () => ({ "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) });
const post = (to: string, body: unknown, signal?: AbortSignal) =>
  fetch(parley.url + to, { method: "POST", headers: headers(), body: JSON.stringify(body), signal: signal ?? null });
const get = async <T>(path: string) => (await (await fetch(parley.url + path, { headers: headers() })).json()) as T;
const health = async () => (await get<ConnectionView>(`/api/v1/connections/${id}`)).health;
const counts = async () => {
  const { in_flight: running, waiting } = await health();
  return [running, waiting];
};
const ask = (signal?: AbortSignal) =>
  post(
    "/api/chat/completions",
    { model: "tide", stream: true, messages: [{ role: "user", content: "When?" }] },
    signal,
  );
const end = (response: ServerResponse) => response.end(`${event(" leaves.")}data: [DONE]\n\n`);

test("calls wait in line for places that others give back, and who comes when the line is full is told when to come again", async () => {
  const answers = Array.from({ length: 5 }, async () => (await ask()).text());
  await expect.poll(counts, limit).toEqual([2, 3]);
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  await expect.poll(() => open.length, limit).toBe(2);
  for (let at = 0; at < 5; at++) {
    await expect.poll(() => open.length, limit).toBeGreaterThan(at);
    end(open[at]!);
  }
  for (const text of await Promise.all(answers)) expect(text).toContain(" leaves.");
  await expect.poll(counts, limit).toEqual([0, 0]);
});

test("callers who leave give their places back at once, under way and in line, and the provider is let go", async () => {
  const callers = Array.from({ length: 4 }, () => new AbortController());
  const answers = callers.map(async ({ signal }) => {
    try {
      return await (await ask(signal)).text();
    } catch {
      return "left";
    }
  });
  await expect.poll(counts, limit).toEqual([2, 2]);
  for (const caller of callers) caller.abort();
  expect(await Promise.all(answers)).toEqual(["left", "left", "left", "left"]);
  await expect.poll(counts, limit).toEqual([0, 0]);
  // One of those in line may have been asked for in the last moment, and is let go too.
  await expect.poll(() => open.length - left, limit).toBe(0);
  expect((await health()).failed).toBe(0);
  const before = open.length;
  const next = ask();
  await expect.poll(() => open.length, limit).toBe(before + 1);
  end(open.at(-1)!);
  expect(await (await next).text()).toContain(" leaves.");
});

test("an answer that breaks in the middle gives its place back, and administrators see it", async () => {
  const held = ask().then((response) => response.text());
  await expect.poll(() => open.length, limit).toBe(1);
  open[0]!.destroy();
  expect(await held).toContain("error");
  await expect.poll(counts, limit).toEqual([0, 0]);
  await expect.poll(async () => (await health()).failures[0]?.code, limit).toBe("upstream_disconnected");
});
