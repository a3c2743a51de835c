import type { Environment } from "../../../context.ts";

/** What one isolate has learned of a model's provider: plain data, for all jobs in it. */
export interface Pacing {
  /** Nothing is sent before, epoch milliseconds. */
  pausedUntil: number;
  /** Refusals for being too fast, one after the other. */
  refusals: number;
  /** More texts than this at once were refused or took too long; until when that is believed, epoch milliseconds. */
  maxTexts: number;
  believedUntil: number;
}

/** Providers change, and so does what they have to do; milliseconds. */
const believedMs = 600_000;

/** First and longest pause where the provider does not say how long, milliseconds. */
const pauseMs = { first: 1000, max: 60_000 };

/** By environment: one for each isolate, and one for each of several services in one process. */
const known = new WeakMap<Environment, Map<string, Pacing>>();

/** @param model the connection's id and the provider's own id of the model */
export function pacingOf(ctx: { environment: Environment }, connectionId: string, model: string): Pacing {
  let all = known.get(ctx.environment);
  if (!all) known.set(ctx.environment, (all = new Map()));
  const key = JSON.stringify([connectionId, model]);
  let pacing = all.get(key);
  if (!pacing) all.set(key, (pacing = { pausedUntil: 0, refusals: 0, maxTexts: Infinity, believedUntil: 0 }));
  return pacing;
}

/** Notes a refusal. @param retryAfter seconds, where the provider says so; @param now epoch milliseconds */
export function slowDown(pacing: Pacing, retryAfter: number | undefined, now: number): void {
  const grown = Math.min(pauseMs.first * 2 ** Math.min(pacing.refusals, 10), pauseMs.max);
  // Not all at the same moment again.
  const pause = retryAfter === undefined ? grown * (0.75 + Math.random() / 2) : retryAfter * 1000;
  pacing.refusals += 1;
  pacing.pausedUntil = Math.max(pacing.pausedUntil, now + pause);
}

/** Notes that a call was taken. */
export function goOn(pacing: Pacing): void {
  pacing.refusals = 0;
}

/** How many texts may be sent at once. @param now epoch milliseconds */
export function maxTextsNow(pacing: Pacing, now: number): number {
  return now < pacing.believedUntil ? pacing.maxTexts : Infinity;
}

export function sendFewer(pacing: Pacing, textCount: number, now: number): void {
  pacing.maxTexts = Math.max(1, Math.min(textCount, maxTextsNow(pacing, now)));
  pacing.believedUntil = now + believedMs;
}
