import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { vi } from "vitest";
import * as z from "zod";

const hexadecimal = (digits: number) => z.string().regex(new RegExp(`^[\\da-f]{${digits}}$`));
const nanoseconds = z.string().regex(/^\d{19}$/);
const attribute = z.strictObject({
  key: z.string().min(1),
  value: z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ boolValue: z.boolean() }),
    z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
    z.strictObject({ doubleValue: z.number() }),
  ]),
});
const span = z.strictObject({
  traceId: hexadecimal(32),
  spanId: hexadecimal(16),
  parentSpanId: hexadecimal(16).optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes: z.array(attribute),
  events: z.array(z.strictObject({ name: z.string(), timeUnixNano: nanoseconds })),
  status: z.strictObject({ code: z.literal(2).optional() }),
});

/** ExportTraceServiceRequest of opentelemetry-proto, as JSON, as far as Parley uses it. */
const exportRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: z.array(attribute) }),
      scopeSpans: z.array(
        z.strictObject({ scope: z.strictObject({ name: z.string(), version: z.string() }), spans: z.array(span) }),
      ),
    }),
  ),
});

export interface SeenSpan extends Omit<z.infer<typeof span>, "attributes"> {
  attributes: Record<string, string | number | boolean>;
  resource: Record<string, string | number | boolean>;
}

const plain = (attributes: z.infer<typeof attribute>[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, "intValue" in value ? Number(value.intValue) : Object.values(value)[0]!]),
  );

/** The spans of a body. @throws ZodError if the body is not as OTLP has it */
export function readSpans(body: string): SeenSpan[] {
  return exportRequest
    .parse(JSON.parse(body))
    .resourceSpans.flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) =>
        spans.map((each) => ({ ...each, attributes: plain(each.attributes), resource: plain(resource.attributes) })),
      ),
    );
}

export interface Collector {
  url: string;
  spans: SeenSpan[];
  requests: { path: string; headers: Record<string, string | string[] | undefined>; body: string }[];
  /** What it does with further requests. */
  manner: "takes" | "refuses" | "hangs";
  /** The first span that fits, as soon as it has come. */
  find(fits: (span: SeenSpan) => boolean): Promise<SeenSpan>;
  close(): Promise<void>;
}

/** A collector of traces on 127.0.0.1. */
export async function startCollector(): Promise<Collector> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      collector.requests.push({ path: request.url ?? "", headers: request.headers, body });
      if (collector.manner === "hangs") return;
      if (collector.manner === "takes") collector.spans.push(...readSpans(body));
      response.writeHead(collector.manner === "takes" ? 200 : 503, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    requests: [],
    manner: "takes",
    async find(fits) {
      await vi.waitUntil(() => collector.spans.some(fits), { timeout: 30_000 });
      return collector.spans.find(fits)!;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return collector;
}
