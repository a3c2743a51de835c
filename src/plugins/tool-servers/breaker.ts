import type { Context } from "../../context.ts";
import { remember, toolServerState, type Breaker } from "./tool-server-state.ts";

/** Consecutive failures after which a server is paused. */
const maxFailures = 3;
/** The pause doubles with each further failure. */
const firstPauseSeconds = 15;
const maxPauseSeconds = 300;
/** How long one probe may take to show whether the server works again. */
const probeSeconds = 30;
const maxBreakers = 1000;

type BreakerContext = Pick<Context, "environment" | "now">;

/**
 * Whether the server may be called now. After a pause one caller probes it, and the others wait for the result.
 * @param key server and address: another address has another key
 * @returns undefined, or seconds until it may be called
 */
export function pausedFor(ctx: BreakerContext, key: string): number | undefined {
  const { breakers } = toolServerState(ctx);
  const breaker = breakers.get(key);
  if (!breaker || breaker.failures < maxFailures) return undefined;
  const now = ctx.now();
  if (now < breaker.openUntil) return breaker.openUntil - now;
  if (now < breaker.tryingUntil) return breaker.tryingUntil - now;
  breakers.set(key, { ...breaker, tryingUntil: now + probeSeconds });
  return undefined;
}

/** Records that the server responded, with any result. */
export function noteAnswer(ctx: BreakerContext, key: string): void {
  toolServerState(ctx).breakers.delete(key);
}

/** Records that the server, or the server behind its gateway, did not respond. */
export function noteOutage(ctx: BreakerContext, key: string): void {
  const { breakers } = toolServerState(ctx);
  const failures = (breakers.get(key)?.failures ?? 0) + 1;
  const pause = Math.min(maxPauseSeconds, firstPauseSeconds * 2 ** Math.max(0, failures - maxFailures));
  const next: Breaker = { failures, openUntil: failures < maxFailures ? 0 : ctx.now() + pause, tryingUntil: 0 };
  remember(breakers, key, next, maxBreakers);
}
