import { type Attributes, type EndedSpan, spanKinds } from "./span.ts";

/**
 * The body of an OTLP/HTTP request as JSON (OTLP 1.x, "JSON Protobuf Encoding"): ids in hexadecimal, 64-bit numbers as text.
 * Written here, for these few lines are all that the libraries of OpenTelemetry would do for us, with ten packages.
 */
export function toOtlp(resource: Attributes, version: string, spans: readonly EndedSpan[]): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toPairs(resource) },
        scopeSpans: [{ scope: { name: "parley", version }, spans: spans.map(toSpan) }],
      },
    ],
  });
}

function toSpan({ parentId, kind, startedAt, endedAt, attributes, events, isError, ...same }: EndedSpan) {
  return {
    ...same,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    kind: spanKinds[kind],
    startTimeUnixNano: toNanoseconds(startedAt),
    endTimeUnixNano: toNanoseconds(endedAt),
    attributes: toPairs(attributes),
    events: events.map(({ name, at }) => ({ name, timeUnixNano: toNanoseconds(at) })),
    status: isError ? { code: 2 } : {},
  };
}

const toNanoseconds = (milliseconds: number) => `${Math.round(milliseconds)}000000`;

function toPairs(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: toValue(value) }],
  );
}

function toValue(value: string | number | boolean) {
  if (typeof value === "string") return { stringValue: value.toWellFormed() };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
