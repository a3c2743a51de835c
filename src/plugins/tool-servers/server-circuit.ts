import type { Context } from "../../context.ts";
import { beginProbe, closedCircuit, countFailure, pauseLeft } from "../../upstream/circuit.ts";
import { remember, toolServerState } from "./tool-server-state.ts";

/** Consecutive failures after which a server is paused. */
const maxFailures = 3;
/** The pause doubles with each further failure. */
const firstPauseMs = 15_000;
const maxPauseMs = 300_000;
/** How long one probe may take to show whether the server works again. */
const probeMs = 30_000;
const maxCircuits = 1000;

type CircuitContext = Pick<Context, "environment" | "now">;

/**
 * Whether the server may be called now. After a pause one caller probes it, and the others wait for the result.
 * @param key server and address: another address has another key
 * @returns undefined, or seconds until it may be called
 */
export function pausedFor(ctx: CircuitContext, key: string): number | undefined {
  const state = toolServerState(ctx);
  const circuit = state.circuits.get(key);
  if (!circuit) return undefined;
  const now = ctx.now() * 1000;
  const call = ++state.calls;
  const left = pauseLeft(circuit, call, now);
  if (left > 0) return Math.ceil(left / 1000);
  beginProbe(circuit, call, now + probeMs);
  return undefined;
}

/** Records that the server responded, with any result. */
export function noteAnswer(ctx: CircuitContext, key: string): void {
  toolServerState(ctx).circuits.delete(key);
}

/** Records that the server, or the server behind its gateway, did not respond. */
export function noteOutage(ctx: CircuitContext, key: string): void {
  const { circuits } = toolServerState(ctx);
  const circuit = circuits.get(key) ?? closedCircuit();
  countFailure(circuit, undefined, ctx.now() * 1000, maxFailures, pauseMs);
  remember(circuits, key, circuit, maxCircuits);
}

function pauseMs(failures: number): number {
  return Math.min(maxPauseMs, firstPauseMs * 2 ** Math.max(0, failures - maxFailures));
}
