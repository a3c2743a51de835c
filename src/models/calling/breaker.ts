import { aliveMs, type ConnectionCalls } from "./connection-calls.ts";
import type { ConnectionPolicy } from "./schema.ts";

type BreakerState = Pick<ConnectionCalls, "failedInRow" | "openUntil" | "probe" | "running">;

/**
 * How long the connection is to be left alone, milliseconds; 0 where it may be called. After its rest one call tries it:
 * the others go on leaving it alone until that one is over.
 */
export function restLeft(calls: BreakerState, call: number, now: number): number {
  if (calls.openUntil === 0) return 0;
  if (calls.openUntil > now) return calls.openUntil - now;
  if (calls.probe === undefined || calls.probe === call) return 0;
  const seen = calls.running.get(calls.probe);
  return seen !== undefined && now - seen <= aliveMs.running ? 1000 : 0;
}

/** The call that is let through after a rest is the one that tries. */
export function beginProbe(calls: BreakerState, call: number): void {
  if (calls.openUntil > 0) calls.probe = call;
}

/** A provider that answers is not left alone, whatever it says. */
export function closeBreaker(calls: BreakerState): void {
  calls.failedInRow = 0;
  calls.openUntil = 0;
  calls.probe = undefined;
}

/** One more failure in a row: after enough of them, and after a failed trial at once, it is left alone. */
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
