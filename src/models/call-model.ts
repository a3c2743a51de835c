import type { Settings } from "../context.ts";
import { runtimeSignal, type StopSignal } from "../lib/stop-signal.ts";
import type { Outbound } from "../ports.ts";
import { applyQuirks } from "./calling/apply-quirks.ts";
import type { CallContext, CallOptions } from "./calling/call-attempt.ts";
import { callWays } from "./calling/call-ways.ts";
import type { ResolvedModel } from "./catalog/find-model.ts";
import type { Connection } from "./connections/connection.ts";
import type { CompletionCall } from "./drivers/driver.ts";

export interface ModelCall extends Pick<CompletionCall, "body" | "pipe"> {
  /** See `CallOptions`. */
  signal: StopSignal;
  /** See `CallOptions`. */
  reading?: CallOptions["reading"];
}

/**
 * Asks a model of any kind for a chat completion. If its connection fails before the first byte, the call is retried,
 * also over other connections with the same model.
 * @returns the provider's own answer with any status; a successful one when its first byte has arrived
 * @throws UpstreamError, or the runtime's own error, if there is no answer or no capacity for the call
 */
export async function callModel(
  ctx: CallContext & { outbound: Outbound },
  model: ResolvedModel,
  { body, signal, pipe, reading }: ModelCall,
): Promise<Response> {
  const { outbound } = ctx;
  const { driver, connection, upstreamId } = model;
  // What answers inside the service has no provider that could fail.
  if (model.kind === "function")
    return driver.complete({ connection, model: upstreamId, body, signal: runtimeSignal(signal), outbound, pipe });
  const [first, ...others] = [model, ...model.alternatives].map((place) => ({
    connection: place.connection,
    model: place.upstreamId,
    ask: (signal: AbortSignal) =>
      place.driver.complete({
        connection: place.connection,
        model: place.upstreamId,
        body: applyQuirks(place.connection.quirks, body),
        signal,
        outbound,
      }),
  }));
  return callWays(ctx, [first!, ...others], { signal, idempotent: true, reading });
}

/**
 * One call over a connection according to its policy: concurrency, attempts, time to the first byte, circuit breaker.
 * @param ask makes the call; may be called again if the call is idempotent
 * @returns the provider's own answer with any status; a successful one when its first byte has arrived
 * @throws UpstreamError, or the runtime's own error, if there is no answer or no capacity for the call
 */
export async function callConnection(
  ctx: CallContext,
  connection: Connection,
  ask: (connection: Connection, signal: AbortSignal) => Promise<Response>,
  options: CallOptions & { model?: string },
): Promise<Response> {
  return callConnections(ctx, [connection], ask, options);
}

/**
 * As `callConnection`, over the first of several connections that accepts it; the first one's policy decides whether
 * others are tried.
 */
export async function callConnections(
  ctx: CallContext,
  [first, ...others]: readonly [Connection, ...Connection[]],
  ask: (connection: Connection, signal: AbortSignal) => Promise<Response>,
  { model = "", ...options }: CallOptions & { model?: string },
): Promise<Response> {
  const way = (connection: Connection) => ({
    connection,
    model,
    ask: (signal: AbortSignal) => ask(connection, signal),
  });
  return callWays(ctx, [way(first), ...others.map(way)], options);
}

/** How long a provider may be silent after its answer has begun, milliseconds. */
export function idleMs(settings: Pick<Settings, "UPSTREAM_TIMEOUT">, { policy }: Pick<Connection, "policy">): number {
  return (policy.idle_timeout ?? settings.UPSTREAM_TIMEOUT) * 1000;
}
