import { type Log, logWith } from "../log.ts";
import type { Span } from "./span.ts";

interface Traceable {
  log: Log;
  span?: Span;
}

/**
 * The same services, whose log lines have the fields and the trace's id. Getters stay getters, and all of it stays its own:
 * contexts are made of copies.
 */
export function withinSpan<S extends Traceable>(
  services: S,
  span: Span | undefined,
  fields: Record<string, unknown>,
): S {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(services)) as S;
  const trace = span ? { trace_id: span.context.traceId } : {};
  return Object.assign(copy, { log: logWith(services.log, { ...fields, ...trace }) }, span && { span });
}
