import { afterAll, beforeEach, expect, test, vi } from "vitest";
import type { Services } from "../../../src/context.ts";
import { createTracing } from "../../../src/lib/traces/create-tracing.ts";
import { Tracer } from "../../../src/lib/traces/tracer.ts";
import { createWorld } from "../../world.ts";

/** Every span of a request begins here. */
const starts = vi.spyOn(Tracer.prototype, "start");
beforeEach(() => void starts.mockClear());
afterAll(() => starts.mockRestore());

async function request(services: Partial<Services>): Promise<void> {
  const world = await createWorld({ services });
  const as = await world.person();
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  expect((await world.call("/api/v1/chats/", { as, headers: { traceparent } })).status).toBe(200);
  const json = { model: "parley-guide", messages: [{ role: "user", content: "Hello" }] };
  expect((await world.call("/api/chat/completions", { as, json })).status).toBe(200);
  await world.settled();
  await world.close();
}

test("where traces are off, no request makes a span", async () => {
  await request({});
  expect(starts).not.toHaveBeenCalled();
});

test("where they are on, each request makes one", async () => {
  const tracing = createTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example" }, "1")!;
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const answer: typeof fetch = async () => new Response("{}");
  await request({ tracer: new Tracer(tracing, { fetch: answer, log, waitUntil: () => undefined }) });
  expect(starts).toHaveBeenCalledTimes(2);
});
