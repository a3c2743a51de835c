import type { Context } from "../context.ts";
import { applyQuirks } from "./calling/apply-quirks.ts";
import type { ResolvedModel } from "./catalog/find-model.ts";
import type { Connection } from "./connections/connection.ts";
import type { CompletionCall } from "./drivers/driver.ts";

export type ModelCall = Pick<CompletionCall, "body" | "signal" | "pipe">;

/**
 * Asks a model for a chat completion, whatever its kind: chat-completions in and out.
 * @returns the provider's own answer, whatever its status
 * @throws UpstreamError, or the runtime's own error, where there is no answer at all
 */
export async function callModel(ctx: Context, model: ResolvedModel, call: ModelCall): Promise<Response> {
  const { connection, upstreamId } = model;
  const { body, signal, pipe } = call;
  return model.driver.complete({
    connection,
    model: upstreamId,
    body: pipe ? body : applyQuirks(connection.quirks, body),
    signal,
    outbound: ctx.outbound,
    pipe,
  });
}

export interface CallOptions {
  /** The caller's. */
  signal: AbortSignal;
  /** Whether the call may be made twice: nothing is changed by it. */
  idempotent: boolean;
}

/**
 * One call over a connection by its policy: a place among its calls, attempts, time limits, breaker.
 * @param ask makes the call; may be asked again
 * @throws UpstreamError, or the runtime's own error, where there is no answer at all
 */
export async function callConnection(
  ctx: Context,
  connection: Connection,
  ask: (connection: Connection, signal: AbortSignal) => Promise<Response>,
  options: CallOptions,
): Promise<Response> {
  void ctx;
  return ask(connection, options.signal);
}
