import type { RoundTrips } from "../../db/metrics.ts";
import type { Sampler } from "./sampler.ts";
import type { ExportPorts, SpanExporter } from "./span-exporter.ts";
import { type EndedSpan, firstSpan, type Span, type SpanStart } from "./span.ts";
import type { TraceContext } from "./trace-context.ts";

/** What an isolate needs for traces. */
export interface Tracing {
  sampler: Sampler;
  exporter: SpanExporter;
  /** Whether providers learn of which trace a call is. */
  tellsProviders: boolean;
}

/** The traces of one request, run or round of jobs; there is none where traces are off. */
export class Tracer {
  /** To the database. */
  readonly roundTrips: RoundTrips = { count: 0, ms: 0 };
  readonly tellsProviders: boolean;
  readonly #tracing: Tracing;
  readonly #sink: (span: EndedSpan) => void;

  constructor(tracing: Tracing, ports: ExportPorts) {
    this.#tracing = tracing;
    this.tellsProviders = tracing.tellsProviders;
    this.#sink = (span) => tracing.exporter.add(span, ports);
  }

  /** @param parent of another service; undefined begins a trace */
  start(start: SpanStart, parent?: TraceContext): Span {
    return firstSpan(start, parent, (traceId) => this.#tracing.sampler(traceId, parent), this.#sink);
  }

  /** What the database has cost so far. */
  get databaseAttributes() {
    const { count, ms } = this.roundTrips;
    return { "parley.db.round_trips": count, "parley.db.duration_ms": Math.round(ms * 100) / 100 };
  }
}
