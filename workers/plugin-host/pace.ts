/** So many at once. */
const burst = 2000;
/** Milliseconds for each of those that follow. */
const interval = 1;

/** When the last one of those that were let through would have been due, had they come one after another; epoch ms. */
let due = 0;

/**
 * How long the next event or chunk of this process's plugin has to wait, in ms. A plugin that says things without end is slowed down
 * to what the service has time for: it waits for each, so this is all that it takes.
 */
export function pace(now: number): number {
  due = Math.max(due, now - burst * interval) + interval;
  return Math.max(0, due - now);
}
