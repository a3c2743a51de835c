import { Counter, Histogram, type Owner } from "../lib/metrics/series.ts";
import type { UseRecord } from "./usage-state.ts";

/** Connections with numbers of their own; further ones count as `other`. */
const maxConnections = 100;
const bounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300];

export const callCount = new Counter({
  name: "parley_model_calls",
  help: "Finished calls of models by connection, API and outcome: done, error or stopped.",
  labels: ["connection", "api", "outcome"],
  maxSeries: 2500,
});

export const callDuration = new Histogram({
  name: "parley_model_call_duration_seconds",
  unit: "seconds",
  help: "Time from the question to the end of the model's answer.",
  labels: ["connection"],
  bounds,
});

export const firstByteDuration = new Histogram({
  name: "parley_model_first_byte_seconds",
  unit: "seconds",
  help: "Time from the question to the first piece of a streamed answer.",
  labels: ["connection"],
  bounds,
});

export const tokenCount = new Counter({
  name: "parley_model_tokens",
  help: "Tokens of models, in and out, as the provider says or as they are estimated.",
  labels: ["connection", "direction"],
});

const connections = new WeakMap<Owner, Set<string>>();

/** A bounded number of them. Empty ids are those of calls that no connection answered. */
function labelOf(owner: Owner, connectionId: string): string {
  if (connectionId === "") return "none";
  let known = connections.get(owner);
  if (!known) connections.set(owner, (known = new Set()));
  if (known.has(connectionId)) return connectionId;
  if (known.size >= maxConnections) return "other";
  known.add(connectionId);
  return connectionId;
}

export function noteCall(owner: Owner, record: UseRecord): void {
  const connection = labelOf(owner, record.connectionId);
  callCount.add(owner, [connection, record.api, record.state]);
  callDuration.observe(owner, [connection], record.durationMs / 1000);
  if (record.firstMs !== null) firstByteDuration.observe(owner, [connection], record.firstMs / 1000);
  tokenCount.add(owner, [connection, "in"], record.input);
  tokenCount.add(owner, [connection, "out"], record.output);
}
