import { aliveMs, type ConnectionCalls } from "./connection-calls.ts";
import type { ConnectionPolicy } from "./schema.ts";

type BreakerState = Pick<ConnectionCalls, "failedInRow" | "openUntil" | "probe" | "running">;

/**
 * How long the connection is paused, milliseconds; 0 if it may be called. After the pause one call probes it, and
 * others wait for its result.
 */
export function restLeft(calls: BreakerState, call: number, now: number): number {
  if (calls.openUntil === 0) return 0;
  if (calls.openUntil > now) return calls.openUntil - now;
  if (calls.probe === undefined || calls.probe === call) return 0;
  const seen = calls.running.get(calls.probe);
  return seen !== undefined && now - seen <= aliveMs.running ? 1000 : 0;
}

/** Marks the call as the probe after a pause. */
export function beginProbe(calls: BreakerState, call: number): void {
  if (calls.openUntil > 0) calls.probe = call;
}

/** Closes the breaker: any answer shows that the provider works. */
export function closeBreaker(calls: BreakerState): void {
  calls.failedInRow = 0;
  calls.openUntil = 0;
  calls.probe = undefined;
}

/** Counts another consecutive failure: after enough of them, or a failed probe, the connection is paused. */
export function countFailure(
  calls: BreakerState,
  policy: Pick<ConnectionPolicy, "breaker_failures" | "breaker_seconds">,
  call: number,
  now: number,
): void {
  calls.failedInRow++;
  const isProbe = calls.probe === call;
  if (isProbe) calls.probe = undefined;
  if (policy.breaker_failures === 0) return;
  // What was under way when the rest began says nothing new: only what was let through afterwards prolongs it.
  if (isProbe || (calls.openUntil === 0 && calls.failedInRow >= policy.breaker_failures))
    calls.openUntil = now + policy.breaker_seconds * 1000;
}
