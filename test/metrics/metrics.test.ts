import { afterEach, expect, test, vi } from "vitest";
import { createDatabase } from "../../src/db/client.ts";
import { newId } from "../../src/lib/id.ts";
import { renderMetrics } from "../../src/lib/metrics/render-metrics.ts";
import { collectMetrics } from "../../src/metrics/collect-metrics.ts";
import { readDatabaseFigures } from "../../src/metrics/database-figures.ts";
import { startReplayServer, type ReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { findSlow, openSqld } from "../query-plan.ts";
import { createWorld, type World } from "../world.ts";
import { createMetricsWorld, launcher, metricsToken, type MetricsWorld, openMetricsType } from "./metrics-world.ts";
import { parseMetrics, sumOf } from "./parse-metrics.ts";

let world: World;
let upstream: ReplayServer | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await world.close();
  await upstream?.close();
  upstream = undefined;
});
const open = async (environment: Record<string, string> = {}): Promise<MetricsWorld> => {
  const opened = await createMetricsWorld({ environment });
  world = opened;
  return opened;
};

test("without METRICS_TOKEN there is nothing, whoever asks", async () => {
  world = await createWorld();
  for (const as of [undefined, await world.admin(), ""]) {
    const { status, body } = await world.call("/metrics", as === undefined ? {} : { as });
    expect([status, body]).toMatchObject([404, { code: "not_found" }]);
  }
});

test("with it, only the token opens it: no session, no key, no cookie", async () => {
  const opened = await open();
  const admin = await opened.admin();
  const refused = [
    {},
    { as: admin },
    { cookie: admin },
    { cookie: metricsToken },
    { as: `${metricsToken}x` },
    { as: metricsToken.slice(0, -1) },
    { headers: { authorization: `Basic ${btoa(`prometheus:${metricsToken}`)}` } },
    { headers: { authorization: metricsToken } },
    { headers: { "x-api-key": metricsToken } },
  ];
  opened.roundTrips.reset();
  for (const options of refused) {
    const answer = await opened.call("/metrics", options);
    expect([answer.status, answer.body, answer.headers.get("www-authenticate")]).toMatchObject([
      401,
      { code: "not_signed_in" },
      "Bearer",
    ]);
  }
  expect((await opened.call(`/metrics?token=${metricsToken}`)).status).toBe(401);
  expect(opened.roundTrips.count).toBe(0);
  expect((await opened.call("/metrics", { as: metricsToken })).status).toBe(200);
  // And it opens nothing else.
  expect((await opened.call("/api/v1/auths/", { as: metricsToken })).status).toBe(401);
});

test("a short token is refused at the start", async () => {
  await expect(createMetricsWorld({ environment: { METRICS_TOKEN: "short" } })).rejects.toThrow("METRICS_TOKEN");
  world = await createWorld();
});

test("both formats are told by their content types, and can be read back", async () => {
  const opened = await open();
  for (const [accept, type, format] of [
    ["text/plain", "text/plain; version=0.0.4; charset=utf-8", "text"],
    [openMetricsType, "application/openmetrics-text; version=1.0.0; charset=utf-8", "openMetrics"],
  ] as const) {
    const { headers } = await opened.call("/metrics", { as: metricsToken, headers: { accept } });
    expect(headers.get("content-type")).toBe(type);
    expect(headers.get("cache-control")).toBe("no-store");
    const families = await opened.scrape(format);
    expect(families.length).toBeGreaterThan(30);
    expect(sumOf(families, "parley_build_info", { version: "0.1.0" })).toBe(1);
    expect(sumOf(families, "parley_disk_free_bytes")).toBe(5e9);
    expect(sumOf(families, "parley_process_cpu_seconds_total", { part: "service" })).toBe(12.5);
  }
});

test("requests count by declared path, method, class of status and dialect", async () => {
  const opened = await open();
  const person = await opened.person();
  const id = newId();
  for (const options of [{ as: person }, {}, { as: "nonsense" }]) await opened.call(`/api/v1/chats/${id}`, options);
  await opened.call("/api/chat/completions", { as: person, json: {} });
  await opened.call("/health");
  const families = await opened.scrape();
  const count = (labels: Record<string, string>) => sumOf(families, "parley_http_requests_total", labels);
  const chat = { route: "/api/v1/chats/:id", method: "GET", dialect: "problem" };
  expect(count({ ...chat, status: "4xx" })).toBe(3);
  expect(sumOf(families, "parley_http_request_duration_seconds_count", { route: chat.route })).toBe(3);
  expect(count({ route: "/api/chat/completions", method: "POST", status: "4xx", dialect: "openai" })).toBe(1);
  expect(count({ route: "/health", status: "2xx" })).toBe(1);
});

test("nothing that callers send becomes a label", async () => {
  const opened = await open();
  const person = await opened.person({ name: "Very Special Name", email: "special@harbour.example" });
  const secret = "a-word-of-the-caller";
  for (let at = 0; at < 200; at++) {
    await opened.call(`/api/v1/${secret}/${at}`, { as: person });
    await opened.call(`/api/v1/chats/${secret}${at}`, { as: person });
    await opened.call(`/api/v1/scim/v2/${secret}${at}`);
  }
  for (const method of [secret.toUpperCase(), "PROPFIND", "DELETE"]) await opened.call(`/${secret}`, { method });
  const { body } = await opened.call<string>("/metrics", { as: metricsToken });
  for (const word of [secret, secret.toUpperCase(), "PROPFIND", person.id, person.name, person.email])
    expect(body).not.toContain(word);
  const families = await opened.scrape();
  expect(sumOf(families, "parley_http_requests_total", { route: "unknown" })).toBeGreaterThan(200);
  expect(sumOf(families, "parley_http_requests_total", { method: "other" })).toBe(2);
  const routes = families.find(({ name }) => name === "parley_http_requests_total")!.samples;
  expect(routes.length).toBeLessThan(12);
});

test("a completion moves the numbers of models, and costs no round trip more", async () => {
  upstream = await startReplayServer();
  const opened = await open({ OPENAI_API_BASE_URLS: upstream.url });
  const person = await opened.admin();
  const ask = async (stream: boolean) => {
    const response = await opened.request("/api/chat/completions", {
      as: person,
      json: { model: "openai", stream, messages: [{ role: "user", content: "the-words-of-the-prompt" }] },
    });
    expect(response.status).toBe(200);
    await response.text();
    await opened.settled();
  };
  await ask(false);
  opened.roundTrips.reset();
  await ask(true);
  expect(opened.roundTrips.count).toBe(1);
  const families = await opened.scrape();
  expect(sumOf(families, "parley_model_calls_total", { api: "chat", outcome: "done" })).toBe(2);
  expect(sumOf(families, "parley_model_call_duration_seconds_count")).toBe(2);
  expect(sumOf(families, "parley_model_first_byte_seconds_count")).toBe(1);
  for (const direction of ["in", "out"])
    expect(sumOf(families, "parley_model_tokens_total", { direction })).toBeGreaterThan(0);
  const { body } = await opened.call<string>("/metrics", { as: metricsToken });
  expect(body).not.toContain("the-words");
  expect(body).not.toContain(upstream.url);
});

test("jobs, deliveries, sessions, connections and stored bytes are those of the database, in one round trip", async () => {
  const opened = await open();
  const admin = await opened.admin();
  const { status } = await opened.call("/api/v1/connections", {
    as: admin,
    json: { kind: "openai", name: 'A "named" one', base_url: "http://127.0.0.1:1/v1" },
  });
  expect(status).toBeLessThan(300);
  const now = Date.now();
  const job = (kind: string, dueAt: number, leaseUntil: number | null) =>
    opened.client.execute({
      sql: "INSERT INTO jobs (id, kind, subject, due_at, lease_until, deadline, created_at) VALUES (?, ?, ?, ?, ?, ?, 0)",
      args: [newId(), kind, newId(), dueAt, leaseUntil, now + 1e6],
    });
  await job("extract", now - 60_000, null);
  await job("extract", now - 90_000, now + 30_000);
  await job("embed", now + 60_000, null);
  await opened.client.execute("UPDATE storage_totals SET bytes = 12345, files = 7 WHERE scope = 'service'");
  opened.roundTrips.reset();
  const families = await opened.scrape();
  expect(opened.roundTrips.count).toBe(1);
  expect(sumOf(families, "parley_jobs", { kind: "extract", state: "waiting" })).toBe(1);
  expect(sumOf(families, "parley_jobs", { kind: "extract", state: "running" })).toBe(1);
  expect(sumOf(families, "parley_jobs", { kind: "embed", state: "waiting" })).toBe(1);
  const oldest = (kind: string) => sumOf(families, "parley_job_oldest_due_seconds", { kind });
  expect(oldest("extract")).toBeGreaterThanOrEqual(60);
  expect(oldest("extract")).toBeLessThan(89);
  expect(oldest("embed")).toBe(0);
  expect(sumOf(families, "parley_sessions")).toBe(1);
  expect(sumOf(families, "parley_connection_info", { name: 'A "named" one' })).toBe(1);
  expect([sumOf(families, "parley_stored_bytes"), sumOf(families, "parley_stored_files")]).toEqual([12345, 7]);
});

test("its statements follow indexes", async () => {
  world = await createWorld();
  const sqld = await openSqld();
  const { client } = sqld;
  await readDatabaseFigures(createDatabase(client));
  // What explains them is asked too.
  const asked = [...sqld.asked];
  expect(asked).toHaveLength(5);
  expect(await findSlow(client, asked)).toEqual([]);
  for (const { sql, args } of asked) {
    const { rows } = await client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args: args ?? [] });
    const steps = rows.map((row) => String(row["detail"]));
    // What is read as a whole has a limit, or is the list of kinds.
    const whole = steps.filter((step) =>
      /^SCAN (?!k\b|sessions|connections|\(subquery|.* webhook_deliveries_pending)/.test(step),
    );
    expect(whole).toEqual([]);
    expect(steps.filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
  }
});

test("what does not answer is left out, and said", async () => {
  const opened = await createMetricsWorld({
    services: { machine: launcher(() => Promise.reject(new Error("the launcher is away"))) },
  });
  world = opened;
  opened.client.close();
  const families = await opened.scrape();
  expect(sumOf(families, "parley_scrape_part_up")).toBe(0);
  expect(families.find(({ name }) => name === "parley_scrape_part_up")!.samples).toHaveLength(2);
  expect(families.find(({ name }) => name === "parley_sessions")!.samples).toEqual([]);
  expect(sumOf(families, "parley_http_requests_total")).toBe(0);
  expect(sumOf(await opened.scrape(), "parley_http_requests_total", { route: "/metrics" })).toBe(1);
  expect(opened.logged.filter(({ message }) => message.includes("metrics"))).toHaveLength(4);
});

test("a database that is silent does not keep the others waiting", async () => {
  const silent = { batch: () => new Promise(() => undefined), execute: () => new Promise(() => undefined) };
  const opened = await createMetricsWorld({ services: { db: createDatabase(silent as never) } });
  world = opened;
  vi.useFakeTimers();
  const collected = collectMetrics(opened.services);
  await vi.advanceTimersByTimeAsync(3000);
  const families = parseMetrics(renderMetrics(await collected, "text"), "text");
  expect(sumOf(families, "parley_scrape_part_up", { part: "database" })).toBe(0);
  expect(sumOf(families, "parley_scrape_part_up", { part: "launcher" })).toBe(1);
});
