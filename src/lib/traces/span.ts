import { cutText } from "../cut-text.ts";
import { newSpanId, newTraceId, type TraceContext } from "./trace-context.ts";

/** What a span says of its work: never texts of people, names, secrets or queries of addresses. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** As OTLP numbers them. */
export const spanKinds = { internal: 1, server: 2, client: 3, consumer: 5 } as const;
export type SpanKind = keyof typeof spanKinds;

export interface SpanEvent {
  name: string;
  /** Epoch milliseconds. */
  at: number;
}

/** A span that has ended. Times are epoch milliseconds. */
export interface EndedSpan {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  name: string;
  kind: SpanKind;
  startedAt: number;
  endedAt: number;
  attributes: Attributes;
  events: readonly SpanEvent[];
  isError: boolean;
}

/** What a span begins with. */
export interface SpanStart {
  name: string;
  kind: SpanKind;
  attributes?: Attributes;
}

/** Takes spans that have ended; only those that are recorded. */
export type SpanSink = (span: EndedSpan) => void;

const maxText = 256;
const maxEvents = 16;

/** A piece of work in a trace. One that is not recorded has ids all the same, for the log and for those who are called. */
export class Span {
  readonly context: TraceContext;
  readonly #start: SpanStart;
  readonly #parentId: string | undefined;
  readonly #sink: SpanSink;
  readonly #startedAt = Date.now();
  readonly #events: SpanEvent[] = [];
  #attributes: Attributes;
  #isEnded = false;

  constructor(
    start: SpanStart,
    parent: TraceContext | undefined,
    sampling: { isSampled: boolean; traceId: string },
    sink: SpanSink,
  ) {
    this.context = { ...sampling, spanId: newSpanId() };
    this.#start = start;
    this.#parentId = parent?.spanId;
    this.#sink = sink;
    this.#attributes = start.attributes ?? {};
  }

  child(start: SpanStart): Span {
    const { traceId, isSampled } = this.context;
    return new Span(start, this.context, { traceId, isSampled }, this.#sink);
  }

  set(attributes: Attributes): void {
    this.#attributes = { ...this.#attributes, ...attributes };
  }

  event(name: string, at = Date.now()): void {
    if (this.#events.length < maxEvents) this.#events.push({ name, at });
  }

  /** @param errorType why it failed, as a code; undefined if it did not */
  end(errorType?: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const { traceId, spanId, isSampled } = this.context;
    if (!isSampled) return;
    if (errorType !== undefined) this.set({ "error.type": errorType });
    this.#sink({
      traceId,
      spanId,
      parentId: this.#parentId,
      name: cutText(this.#start.name, maxText),
      kind: this.#start.kind,
      startedAt: this.#startedAt,
      endedAt: Date.now(),
      attributes: cut(this.#attributes),
      events: this.#events,
      isError: errorType !== undefined,
    });
  }
}

/** The first span of this service in a trace. @param decide whether it is recorded */
export function firstSpan(
  start: SpanStart,
  parent: TraceContext | undefined,
  decide: (traceId: string) => boolean,
  sink: SpanSink,
): Span {
  const traceId = parent?.traceId ?? newTraceId();
  return new Span(start, parent, { traceId, isSampled: decide(traceId) }, sink);
}

function cut(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === "string" ? cutText(value, maxText) : value,
    ]),
  );
}
