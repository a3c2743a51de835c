import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ScriptedRequest,
  type ScriptedUpstream,
  startScriptedUpstream,
} from "../fixtures/upstreams/scripted-upstream.ts";
import { type Collector, type SeenSpan, startCollector } from "../lib/traces/start-collector.ts";
import { parseMetrics } from "../metrics/parse-metrics.ts";
import { startParley, type Parley } from "./start-parley.ts";

/** What must be in no span: each is in a place of its own. */
const secrets = {
  prompt: "zqpromptZx9",
  answer: "zqanswerZx9",
  argument: "zqargumentZx9",
  result: "zqresultZx9",
  name: "zqnameZx9",
  email: "zqemailzx9",
  password: "zqpasswordZx9",
  key: "zqkeyZx9",
  query: "zqqueryZx9",
  path: "zqpathZx9",
  collector: "zqcollectorZx9",
};
const metricsToken = "the-token-that-prometheus-has";
const limit = { timeout: 30_000, interval: 200 };

const tool = `
export default class Tools {
  /** Repeats a word. @param word which */
  async repeat(word: string) { return word + " ${secrets.result}" }
}
`;

/** Calls the tool once, and then says something. */
function worker({ messages, tools }: ScriptedRequest) {
  const isDone = !tools?.length || messages.some(({ role }) => role === "tool");
  if (isDone) return { content: secrets.answer, tokens: [30, 4] as [number, number] };
  return {
    calls: tools.map(({ function: { name } }) => ({ name, arguments: { word: secrets.argument } })),
    tokens: [20, 7] as [number, number],
  };
}

let upstream: ScriptedUpstream;
let collector: Collector;
beforeAll(async () => {
  [upstream, collector] = await Promise.all([
    startScriptedUpstream({
      worker,
      broken: () => ({ refusal: { status: 400, error: { message: secrets.answer, code: "bad_thing" } } }),
    }),
    startCollector(),
  ]);
});
afterAll(() => Promise.all([upstream?.close(), collector?.close()]));

const start = (env: Record<string, string>) =>
  startParley({
    env: {
      OPENAI_API_BASE_URLS: upstream.url,
      OPENAI_API_KEYS: `sk-${secrets.key}`,
      METRICS_TOKEN: metricsToken,
      LOG_FORMAT: "json",
      ACCESS_LOG: "true",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `x-key=${secrets.collector}`,
      ...env,
    },
  });

async function send(parley: Parley, path: string, json?: unknown, headers: Record<string, string> = {}) {
  return fetch(parley.url + path, {
    method: json === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...headers },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
}

async function signUp(parley: Parley): Promise<Record<string, string>> {
  const { name, email, password } = secrets;
  const account = { name, email: `${email}@harbour.example`, password: `${password} horse` };
  const { token } = (await (await send(parley, "/api/v1/auths/signup", account)).json()) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  const made = await send(
    parley,
    "/api/v1/tools/create",
    { id: "echo", name: "Echo", content: tool, meta: {} },
    headers,
  );
  expect(made.status).toBe(200);
  return headers;
}

const question = (model: string, more: object = {}) => ({
  model,
  messages: [{ role: "user", content: secrets.prompt }],
  ...more,
});
const requestId = (response: Response) => response.headers.get("x-request-id");
const isOf = (response: Response) => (span: SeenSpan) => span.attributes["parley.request_id"] === requestId(response);

describe("with a collector", () => {
  let parley: Parley;
  let headers: Record<string, string>;
  beforeAll(async () => {
    parley = await start({ OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test" });
    headers = await signUp(parley);
  });
  afterAll(() => parley?.stop());

  test.each([true, false])("a chat request with a tool is one trace; stream: %s", async (stream) => {
    const response = await send(
      parley,
      `/api/chat/completions?say=${secrets.query}`,
      question("worker", { stream, tool_ids: ["echo"] }),
      headers,
    );
    expect(await response.text()).toContain(secrets.answer);
    const request = await collector.find(isOf(response));
    const children = () => collector.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
    await expect.poll(() => children().length, limit).toBe(3);
    expect(request).toMatchObject({
      name: "POST /api/chat/completions",
      kind: 2,
      status: {},
      attributes: {
        "http.request.method": "POST",
        "http.route": "/api/chat/completions",
        "http.response.status_code": 200,
        "url.scheme": "http",
      },
      resource: { "service.name": "parley", "deployment.environment.name": "test" },
    });
    expect(request).not.toHaveProperty("parentSpanId");
    expect(request.attributes["parley.db.round_trips"]).toBeGreaterThan(0);
    expect(request.attributes["parley.db.duration_ms"]).toBeGreaterThanOrEqual(0);
    const calls = children().filter(({ name }) => name === "chat worker");
    expect(calls.map(({ attributes }) => attributes["gen_ai.usage.input_tokens"]).toSorted()).toEqual([20, 30]);
    for (const call of calls) {
      expect(call).toMatchObject({
        kind: 3,
        status: {},
        traceId: request.traceId,
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": "openai",
          "gen_ai.request.model": "worker",
          "server.address": "127.0.0.1",
          "server.port": Number(new URL(upstream.url).port),
        },
      });
      expect(call.events.map(({ name }) => name)).toEqual(stream ? ["first_byte"] : []);
    }
    expect(children().find(({ kind }) => kind === 1)).toMatchObject({
      name: "execute_tool repeat",
      traceId: request.traceId,
      attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "repeat" },
    });
    const sent = BigInt(request.endTimeUnixNano) - BigInt(request.startTimeUnixNano);
    expect(sent >= 0n).toBe(true);
    const line = parley.output.split("\n").find((each) => each.includes(requestId(response)!));
    expect(line).toContain(`"trace_id":"${request.traceId}"`);
  });

  test("a turn of the web page goes on in the trace of its request", async () => {
    const turn = question("worker", { stream: true, session_id: "s", id: crypto.randomUUID(), parent_id: null });
    const response = await send(parley, "/api/chat/completions", turn, headers);
    const { task_ids: [run] = [] } = (await response.json()) as { task_ids?: string[] };
    const request = await collector.find(isOf(response));
    const span = await collector.find(({ attributes }) => attributes["parley.run_id"] === run);
    expect(span).toMatchObject({ name: "run", parentSpanId: request.spanId, traceId: request.traceId, status: {} });
    const call = await collector.find(({ parentSpanId }) => parentSpanId === span.spanId);
    expect(call).toMatchObject({ name: "chat worker", traceId: request.traceId });
    expect(span.attributes["parley.db.round_trips"]).toBeGreaterThan(0);
  });

  test("a job has a trace of its own", async () => {
    const body = new FormData();
    body.append("file", new Blob(["A ferry leaves."]), `${secrets.name}.txt`);
    const stored = await fetch(`${parley.url}/api/v1/files/`, { method: "POST", headers, body });
    expect(stored.status).toBe(200);
    const job = await collector.find(({ name }) => name === "job extract");
    expect(job).toMatchObject({
      kind: 5,
      status: {},
      attributes: { "parley.job.kind": "extract", "parley.job.attempt": 1 },
    });
    expect(job).not.toHaveProperty("parentSpanId");
  });

  test("failures are marked: of the provider on its call, of Parley on the request", async () => {
    const refused = await send(parley, "/api/chat/completions", question("broken"), headers);
    expect(refused.status).toBe(400);
    const request = await collector.find(isOf(refused));
    expect(request).toMatchObject({ status: {}, attributes: { "http.response.status_code": 400 } });
    const call = await collector.find(({ parentSpanId }) => parentSpanId === request.spanId);
    expect(call).toMatchObject({ status: { code: 2 }, attributes: { "error.type": "bad_thing" } });
    const unknown = await send(parley, `/api/v1/nothing/${secrets.path}`, undefined, headers);
    expect(await collector.find(isOf(unknown))).toMatchObject({ name: "GET", status: {} });
  });

  test("a traceparent is taken up, recorded or not; an invalid one is ignored", async () => {
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const parent = "00f067aa0ba902b7";
    const path = `/api/v1/chats/?search=${secrets.query}`;
    const unrecorded = await send(parley, path, undefined, { ...headers, traceparent: `00-${trace}-${parent}-00` });
    const taken = await send(parley, path, undefined, { ...headers, traceparent: `00-${trace}-${parent}-01` });
    expect(await collector.find(isOf(taken))).toMatchObject({
      name: "GET /api/v1/chats/",
      traceId: trace,
      parentSpanId: parent,
    });
    const broken = await send(parley, path, undefined, { ...headers, traceparent: `00-${trace}-${parent}-zz` });
    expect((await collector.find(isOf(broken))).traceId).not.toBe(trace);
    expect(collector.spans.some(isOf(unrecorded))).toBe(false);
    const patterned = await send(parley, `/api/v1/chats/${secrets.path}`, undefined, headers);
    expect((await collector.find(isOf(patterned))).name).toBe("GET /api/v1/chats/{id}");
  });

  test("the provider learns nothing, and there is no secret in what the collector got", () => {
    expect(upstream.exchanges.length).toBeGreaterThan(4);
    expect(upstream.exchanges.filter((exchange) => "traceparent" in exchange.headers)).toEqual([]);
    const all = collector.requests.map(({ body }) => body.toLowerCase()).join("\n");
    expect(collector.spans.length).toBeGreaterThan(10);
    expect(Object.values(secrets).filter((secret) => all.includes(secret.toLowerCase()))).toEqual([]);
    expect(collector.requests.filter(({ path }) => path !== "/v1/traces")).toEqual([]);
    expect(new Set(collector.requests.map((request) => request.headers["x-key"]))).toEqual(
      new Set([secrets.collector]),
    );
    expect(parley.output).not.toContain(secrets.collector);
  });
});

describe("with TRACEPARENT_TO_PROVIDERS, and a collector that is down", () => {
  let parley: Parley;
  let headers: Record<string, string>;
  beforeAll(async () => {
    parley = await start({ TRACEPARENT_TO_PROVIDERS: "true", OTEL_SERVICE_NAME: "second" });
    headers = await signUp(parley);
  });
  afterAll(() => parley?.stop());

  const dropped = async () => {
    const response = await send(parley, "/metrics", undefined, { authorization: `Bearer ${metricsToken}` });
    const family = parseMetrics(await response.text(), "text").find(({ name }) =>
      name.startsWith("parley_trace_spans"),
    );
    return family?.samples.find(({ labels }) => labels["outcome"] === "dropped")?.value ?? 0;
  };

  test("the provider is told which span its call is", async () => {
    const before = upstream.exchanges.length;
    const response = await send(parley, "/api/chat/completions", question("worker"), headers);
    expect(response.status).toBe(200);
    const request = await collector.find(isOf(response));
    const call = await collector.find(({ parentSpanId }) => parentSpanId === request.spanId);
    expect(call.resource["service.name"]).toBe("second");
    expect(upstream.exchanges.slice(before).map((exchange) => exchange.headers["traceparent"])).toEqual([
      `00-${request.traceId}-${call.spanId}-01`,
    ]);
  });

  test.each(["refuses", "hangs"] as const)("a collector that %s fails and delays nothing", async (manner) => {
    const before = await dropped();
    const said = parley.output.length;
    const asked = collector.requests.length;
    collector.manner = manner;
    const begun = performance.now();
    for (let round = 0; round < 10; round++) {
      const response = await send(parley, "/api/chat/completions", question("worker"), headers);
      expect([response.status, (await response.text()).includes(secrets.answer)]).toEqual([200, true]);
    }
    // The collector would have 10 s.
    expect(performance.now() - begun).toBeLessThan(9000);
    await expect.poll(() => collector.requests.length, limit).toBeGreaterThan(asked);
    await expect.poll(dropped, limit).toBeGreaterThan(before);
    expect(parley.output).toContain("the collector does not take the traces");
    collector.manner = "takes";
    // What waits goes with the next request.
    const isTakenAgain = async () => {
      await send(parley, "/api/config");
      return parley.output.slice(said).includes("the collector takes the traces again");
    };
    await expect.poll(isTakenAgain, limit).toBe(true);
  });
});
