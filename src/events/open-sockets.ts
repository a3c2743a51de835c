import type { Owner } from "../lib/metrics/series.ts";

/**
 * Open tabs' sockets of each coordinator in this isolate. A coordinator that hibernates keeps its sockets, so what it said last
 * stays true without it.
 */
const counts = new WeakMap<Owner, Map<string, number>>();

/** @param coordinator its id */
export function noteSockets(owner: Owner, coordinator: string, count: number): void {
  let known = counts.get(owner);
  if (!known) counts.set(owner, (known = new Map()));
  if (count > 0) known.set(coordinator, count);
  else known.delete(coordinator);
}

export function openSockets(owner: Owner): { sockets: number; people: number } {
  const known = counts.get(owner);
  let sockets = 0;
  for (const count of known?.values() ?? []) sockets += count;
  return { sockets, people: known?.size ?? 0 };
}
