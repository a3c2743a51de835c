import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ScriptedUpstream, startScriptedUpstream } from "../fixtures/upstreams/scripted-upstream.ts";
import { parseMetrics, type ParsedFamily, sumOf } from "../metrics/parse-metrics.ts";
import { type Receiver, startReceiver } from "../webhooks/start-receiver.ts";
import { startParley, type Parley } from "./start-parley.ts";

const metricsToken = "the-token-that-prometheus-has";
const limit = { timeout: 60_000, interval: 200 };

let parley: Parley;
let upstream: ScriptedUpstream;
let receiver: Receiver;
let token: string;

beforeAll(async () => {
  [upstream, receiver] = await Promise.all([
    startScriptedUpstream({ scripted: () => ({ content: "Hello there", tokens: [11, 22] }) }),
    startReceiver(),
  ]);
  parley = await startParley({
    env: {
      METRICS_TOKEN: metricsToken,
      OPENAI_API_BASE_URLS: upstream.url,
      OPENAI_API_KEYS: "sk-test",
      WEBHOOK_URL: receiver.url,
      OUTBOUND_ALLOWED_PRIVATE_HOSTS: new URL(receiver.url).host,
    },
  });
  const { body } = await call("POST", "/api/v1/auths/signup", { json: person("grace") });
  ({ token } = body as { token: string });
});
afterAll(async () => {
  await parley?.stop();
  await Promise.all([upstream?.close(), receiver?.close()]);
});

const person = (name: string) => ({ name, email: `${name}@harbour.example`, password: "correct horse" });

async function call(method: string, path: string, { json, body }: { json?: unknown; body?: FormData } = {}) {
  const response = await fetch(parley.url + path, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(json === undefined ? { body: body ?? null } : { body: JSON.stringify(json) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  const text = await response.text();
  return { text, body: text.startsWith("{") ? (JSON.parse(text) as unknown) : undefined };
}

async function ask(as: string | undefined, accept = "text/plain") {
  const authorization = as === undefined ? {} : { authorization: `Bearer ${as}` };
  return fetch(`${parley.url}/metrics`, { headers: { accept, ...authorization } });
}

async function scrape(): Promise<ParsedFamily[]> {
  const response = await ask(metricsToken);
  expect(response.status).toBe(200);
  return parseMetrics(await response.text(), "text");
}

test("the front passes it on, and only its token opens it", async () => {
  expect((await ask(undefined)).status).toBe(401);
  expect((await ask(token)).status).toBe(401);
  for (const path of ["/metrics/", "//metrics", "/%6Detrics"]) {
    const response = await fetch(parley.url + path);
    expect([path, response.status < 500, /^# TYPE/m.test(await response.text())]).toEqual([path, true, false]);
  }
  const answer = await ask(metricsToken, "application/openmetrics-text;version=1.0.0");
  expect(answer.headers.get("content-type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
  expect(parseMetrics(await answer.text(), "openMetrics").length).toBeGreaterThan(30);
});

test("look-ups of requests that come together are one message to the database", async () => {
  const figures = async () => {
    const families = await scrape();
    return {
      lookUps: sumOf(families, "parley_database_request_duration_seconds_count", { way: "lookup" }),
      messages: sumOf(families, "parley_database_gate_wait_seconds_count", { line: "lookups" }),
      failed: sumOf(families, "parley_database_request_failures_total", { way: "lookup" }),
    };
  };
  const before = await figures();
  await Promise.all(Array.from({ length: 100 }, () => call("GET", "/api/v1/auths/")));
  const after = await figures();
  expect(after.lookUps - before.lookUps).toBeGreaterThanOrEqual(100);
  expect(after.messages - before.messages).toBeLessThan(after.lookUps - before.lookUps);
  expect(after.failed).toBe(before.failed);
});

test("a completion, an upload, a new person and an open page move the numbers", async () => {
  const before = await scrape();
  for (const stream of [false, true])
    await call("POST", "/api/chat/completions", {
      json: { model: "scripted", stream, messages: [{ role: "user", content: "Hello" }] },
    });
  const form = new FormData();
  form.append("file", new Blob(["Text of a document that is read."]), "note.txt");
  await call("POST", "/api/v1/files/", { body: form });
  await call("POST", "/api/v1/auths/signup", { json: person("ada") });
  const socket = new WebSocket(`${parley.url.replace("http", "ws")}/api/v1/events`, {
    headers: { authorization: `Bearer ${token}` },
  } as never);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", reject, { once: true });
  });

  const moved = async (name: string, labels: Record<string, string> = {}) =>
    sumOf(await scrape(), name, labels) - sumOf(before, name, labels);
  // Webhooks come last: both people may be in it.
  await expect.poll(() => moved("parley_webhook_deliveries_total", { outcome: "delivered" }), limit).toBeGreaterThan(0);
  await expect.poll(() => moved("parley_model_calls_total", { api: "chat", outcome: "done" }), limit).toBe(2);
  await expect.poll(() => moved("parley_open_sockets"), limit).toBe(1);
  const after = await scrape();
  const difference = (name: string, labels: Record<string, string> = {}) =>
    sumOf(after, name, labels) - sumOf(before, name, labels);
  expect(difference("parley_model_tokens_total", { direction: "in" })).toBe(22);
  expect(difference("parley_model_tokens_total", { direction: "out" })).toBe(44);
  expect(difference("parley_model_first_byte_seconds_count")).toBe(1);
  expect(
    difference("parley_http_requests_total", {
      route: "/api/chat/completions",
      method: "POST",
      status: "2xx",
      dialect: "openai",
    }),
  ).toBe(2);
  expect(difference("parley_http_requests_total", { route: "/api/v1/files/", status: "2xx" })).toBe(1);
  expect(difference("parley_webhook_attempts_total", { outcome: "taken" })).toBeGreaterThan(0);
  expect(difference("parley_stored_files")).toBe(1);
  expect(difference("parley_stored_bytes")).toBe(32);
  expect(difference("parley_sessions")).toBe(1);
  expect(sumOf(after, "parley_connected_people")).toBe(1);
  // Objects of the gate and of people count in the isolate of the service.
  for (const way of ["lookup", "work"])
    expect(difference("parley_database_request_duration_seconds_count", { way })).toBeGreaterThan(0);
  for (const line of ["lookups", "reads", "writes"])
    expect(difference("parley_database_gate_wait_seconds_count", { line })).toBeGreaterThan(0);
  socket.close();
  await expect.poll(async () => sumOf(await scrape(), "parley_open_sockets"), limit).toBe(0);
});

test("the launcher tells of the processes, the disk and the commit", async () => {
  // The process that hashes passwords is there while somebody needs it.
  await call("POST", "/api/v1/auths/signin", { json: person("grace") });
  const families = await scrape();
  for (const part of ["launcher", "service", "database", "passwords"]) {
    expect(sumOf(families, "parley_processes", { part }), part).toBe(1);
    expect(sumOf(families, "parley_process_memory_bytes", { part }), part).toBeGreaterThan(1e6);
  }
  expect(sumOf(families, "parley_scrape_part_up")).toBe(2);
  expect(sumOf(families, "parley_disk_free_bytes")).toBeGreaterThan(0);
  expect(sumOf(families, "parley_disk_size_bytes")).toBeGreaterThan(sumOf(families, "parley_disk_free_bytes"));
  expect(sumOf(families, "parley_database_size_bytes")).toBeGreaterThan(100_000);
  expect(sumOf(families, "parley_connections")).toBeGreaterThan(0);
  let commit = "";
  try {
    commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    // No checkout: then none is told either.
  }
  expect(sumOf(families, "parley_build_info", { commit })).toBe(1);
  const age = Date.now() / 1000 - sumOf(families, "process_start_time_seconds");
  expect(age).toBeGreaterThanOrEqual(0);
  expect(age).toBeLessThan(600);
});

test("an end of the service is counted as a restart, and its counters begin again", async () => {
  const runtime = parley.processes().find(({ command }) => command.includes("socket-addr=entry="))!;
  const begun = sumOf(await scrape(), "process_start_time_seconds");
  process.kill(runtime.pid, "SIGKILL");
  await expect.poll(async () => (await ask(metricsToken).catch(() => undefined))?.status, limit).toBe(200);
  const families = await scrape();
  expect(sumOf(families, "parley_process_restarts_total", { part: "service" })).toBe(1);
  expect(sumOf(families, "process_start_time_seconds")).toBeGreaterThan(begun);
});
