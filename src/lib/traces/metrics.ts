import { Counter } from "../metrics/series.ts";

/** `outcome`: `sent` or `dropped`. */
export const spanCount = new Counter({
  name: "parley_trace_spans",
  help: "Spans for the collector of traces: sent, or dropped because it did not take them or too many waited.",
  labels: ["outcome"],
});
