import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { parseEnvironment } from "../../../src/compose/parse-environment.ts";
import { createTracing } from "../../../src/lib/traces/create-tracing.ts";
import { spanCount } from "../../../src/lib/traces/metrics.ts";
import { Tracer } from "../../../src/lib/traces/tracer.ts";
import { readSpans } from "./start-collector.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const silent = () => undefined;

/** A tracer whose collector does what it is told. */
function setUp(variables: Record<string, string> = {}) {
  const environment = parseEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318/", ...variables });
  const tracing = createTracing(environment, "1.2.3");
  if (!tracing) throw new Error("traces are off");
  const sent: { url: string; headers: Headers; body: string }[] = [];
  const warned: string[] = [];
  const set = {
    tracer: undefined as never as Tracer,
    sent,
    warned,
    work: [] as Promise<unknown>[],
    answer: async () => new Response("{}"),
  };
  set.tracer = new Tracer(tracing, {
    fetch: (async (input: string, init: RequestInit) => {
      sent.push({ url: input, headers: new Headers(init.headers), body: init.body as string });
      return set.answer();
    }) as typeof fetch,
    log: {
      debug: silent,
      info: (message) => void warned.push(message),
      warn: (message) => void warned.push(message),
      error: silent,
    },
    waitUntil: (work) => void set.work.push(work),
  });
  const counts = () =>
    Object.fromEntries(spanCount.collect(environment).samples.map(({ labels, value }) => [labels[0]![1], value]));
  return { set, counts };
}

const work = { name: "work", kind: "internal" } as const;

test("spans of a moment go together, as OTLP has them", async () => {
  const { set, counts } = setUp({
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b,x-team=ours",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=staging,service.name=other",
    OTEL_SERVICE_NAME: "chat",
  });
  const span = set.tracer.start({
    ...work,
    attributes: { text: "half \ud800", whole: 3, part: 0.5, is: true, none: undefined },
  });
  const child = span.child({ name: "call", kind: "client" });
  child.event("first_byte");
  child.end("upstream_timeout");
  child.end();
  span.end();
  expect(set.work).toHaveLength(1);
  expect(set.sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(600);
  expect(set.sent).toHaveLength(1);
  const [{ url, headers, body }] = set.sent as [(typeof set.sent)[number]];
  expect(url).toBe("http://collector.example:4318/v1/traces");
  expect([headers.get("x-key"), headers.get("x-team"), headers.get("content-type")]).toEqual([
    "a b",
    "ours",
    "application/json",
  ]);
  const [first, second] = readSpans(body);
  expect(first).toMatchObject({
    name: "call",
    kind: 3,
    traceId: span.context.traceId,
    parentSpanId: span.context.spanId,
    status: { code: 2 },
    attributes: { "error.type": "upstream_timeout" },
    events: [{ name: "first_byte" }],
    resource: { "service.name": "chat", "service.version": "1.2.3", "deployment.environment.name": "staging" },
  });
  expect(second).toMatchObject({
    name: "work",
    status: {},
    attributes: { text: "half \ufffd", whole: 3, part: 0.5, is: true },
  });
  expect(second).not.toHaveProperty("parentSpanId");
  expect(second?.attributes).not.toHaveProperty("none");
  expect(counts()).toEqual({ sent: 2 });
});

test("the address for traces alone is taken as it is", async () => {
  const { set } = setUp({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://other.example/in?team=1" });
  set.tracer.start(work).end();
  await vi.advanceTimersByTimeAsync(600);
  expect(set.sent.map(({ url }) => url)).toEqual(["https://other.example/in?team=1"]);
});

test("what is not recorded is not sent, and its children neither", async () => {
  const { set, counts } = setUp({ OTEL_TRACES_SAMPLER: "always_off" });
  const span = set.tracer.start(work);
  const child = span.child(work);
  child.end();
  span.end();
  await vi.advanceTimersByTimeAsync(600);
  expect([set.sent, set.work, counts()]).toEqual([[], [], {}]);
  expect(child.context).toMatchObject({ traceId: span.context.traceId, isSampled: false });
});

test("a collector that refuses costs the batch, and is complained of once", async () => {
  const { set, counts } = setUp();
  set.answer = async () => new Response("no", { status: 503 });
  for (let round = 0; round < 3; round++) {
    set.tracer.start(work).end();
    await vi.advanceTimersByTimeAsync(600);
  }
  expect(counts()).toEqual({ dropped: 3 });
  expect(set.warned).toEqual(["the collector does not take the traces"]);
  set.answer = async () => new Response("{}");
  set.tracer.start(work).end();
  await vi.advanceTimersByTimeAsync(600);
  expect(counts()).toEqual({ dropped: 3, sent: 1 });
  expect(set.warned).toEqual(["the collector does not take the traces", "the collector takes the traces again"]);
});

test("while the collector hangs, a bounded number waits and the oldest are dropped", async () => {
  const { set, counts } = setUp();
  let release: (response: Response) => void = silent;
  set.answer = () => new Promise((resolve) => (release = resolve));
  set.tracer.start(work).end();
  await vi.advanceTimersByTimeAsync(600);
  for (let number = 0; number < 5000; number++) set.tracer.start({ ...work, name: `work ${number}` }).end();
  // Nobody else sends meanwhile.
  expect(set.work).toHaveLength(1);
  expect(counts()).toEqual({ dropped: 5000 - 4096 });
  set.answer = async () => new Response("{}");
  release(new Response("{}"));
  await vi.advanceTimersByTimeAsync(600);
  expect(counts()).toEqual({ dropped: 904, sent: 4097 });
  expect(set.sent.slice(1).map(({ body }) => readSpans(body).length)).toEqual(Array.from({ length: 8 }, () => 512));
  expect(readSpans(set.sent[1]!.body)[0]?.name).toBe("work 904");
});

test("where the request that sends was put away, another one sends", async () => {
  const { set, counts } = setUp();
  set.answer = () => new Promise(silent);
  set.tracer.start(work).end();
  await vi.advanceTimersByTimeAsync(600);
  set.answer = async () => new Response("{}");
  await vi.advanceTimersByTimeAsync(11_100);
  set.tracer.start(work).end();
  await vi.advanceTimersByTimeAsync(600);
  expect(counts()).toEqual({ dropped: 1, sent: 1 });
});

test.each([
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://ada:secret@collector:4318"],
  ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "grpc://collector"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "no pairs"],
  ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "x-key=a%0Ab"],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
  ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/protobuf"],
  ["OTEL_RESOURCE_ATTRIBUTES", "a=%"],
  ["OTEL_TRACES_SAMPLER", "jaeger_remote"],
  ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
  ["OTEL_SDK_DISABLED", "perhaps"],
  ["TRACEPARENT_TO_PROVIDERS", "perhaps"],
])("%s=%s is refused at the start", (name, value) => {
  expect(() => parseEnvironment({ [name]: value })).toThrow(name);
});

test("without an address, or with OTEL_SDK_DISABLED, traces are off", () => {
  const off = (variables: Record<string, string>) => createTracing(parseEnvironment(variables), "1") === undefined;
  expect(off({})).toBe(true);
  expect(off({ OTEL_SERVICE_NAME: "chat", OTEL_TRACES_SAMPLER: "always_on" })).toBe(true);
  expect(off({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318", OTEL_SDK_DISABLED: "true" })).toBe(true);
  expect(off({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" })).toBe(false);
});
