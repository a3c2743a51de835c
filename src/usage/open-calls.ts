import type { Owner } from "../lib/metrics/series.ts";

/** Calls of models in this isolate that have begun and not ended. */
const counts = new WeakMap<Owner, number>();

export function openCalls(owner: Owner): number {
  return counts.get(owner) ?? 0;
}

/** @returns to be called once, when the call has ended */
export function noteOpenCall(owner: Owner): () => void {
  counts.set(owner, openCalls(owner) + 1);
  return () => void counts.set(owner, openCalls(owner) - 1);
}
