import type { Owner } from "./series.ts";

const starts = new WeakMap<Owner, number>();

/** When its counters began, epoch milliseconds: at the first call. */
export function startedAt(owner: Owner): number {
  let start = starts.get(owner);
  if (start === undefined) starts.set(owner, (start = Date.now()));
  return start;
}
