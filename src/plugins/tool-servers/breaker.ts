import type { Context } from "../../context.ts";
import { remember, toolServerState, type Breaker } from "./tool-server-state.ts";

/** So many failures in a row, and a server is left alone. */
const mostFailures = 3;
/** Seconds, doubled with each failure after that. */
const firstPause = 15;
const longestPause = 300;
/** Seconds that one try gets to show whether the server works again. */
const tryFor = 30;
const mostBreakers = 1000;

type BreakerContext = Pick<Context, "environment" | "now">;

/**
 * Whether the server may be asked now. After a pause one caller is let through; the others wait for what comes of it.
 * @param key names server and address: a changed address is another one
 * @returns undefined, or seconds until it may be tried
 */
export function pausedFor(ctx: BreakerContext, key: string): number | undefined {
  const { breakers } = toolServerState(ctx);
  const breaker = breakers.get(key);
  if (!breaker || breaker.failures < mostFailures) return undefined;
  const now = ctx.now();
  if (now < breaker.openUntil) return breaker.openUntil - now;
  if (now < breaker.tryingUntil) return breaker.tryingUntil - now;
  breakers.set(key, { ...breaker, tryingUntil: now + tryFor });
  return undefined;
}

/** The server answered, whatever it said. */
export function noteAnswer(ctx: BreakerContext, key: string): void {
  toolServerState(ctx).breakers.delete(key);
}

/** The server did not answer, or only its gateway did. */
export function noteOutage(ctx: BreakerContext, key: string): void {
  const { breakers } = toolServerState(ctx);
  const failures = (breakers.get(key)?.failures ?? 0) + 1;
  const pause = Math.min(longestPause, firstPause * 2 ** Math.max(0, failures - mostFailures));
  const next: Breaker = { failures, openUntil: failures < mostFailures ? 0 : ctx.now() + pause, tryingUntil: 0 };
  remember(breakers, key, next, mostBreakers);
}
