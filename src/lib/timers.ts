/** The clock for stream code, replaceable in tests. Milliseconds; `now` only has to increase. */
export interface Timers {
  set(run: () => void, milliseconds: number): unknown;
  clear(handle: unknown): void;
  now(): number;
}

export const realTimers: Timers = {
  set: (run, milliseconds) => setTimeout(run, milliseconds),
  clear: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
  now: () => Date.now(),
};

/**
 * Calls `onIdle` when `touch` was not called for the given time, repeatedly until `stop`. One timer is set per idle
 * period, not per touch: a stream touches thousands of times a second.
 * @param since when the idle period began, on the timers' clock
 */
export function watchIdle(
  timers: Timers,
  milliseconds: number,
  onIdle: () => void,
  since = timers.now(),
): { touch: () => void; stop: () => void } {
  let touched = since;
  let handle = timers.set(check, Math.max(0, since + milliseconds - timers.now()));
  let stopped = false;

  function check(): void {
    const left = touched + milliseconds - timers.now();
    if (left <= 0) {
      touched = timers.now();
      onIdle();
    }
    if (!stopped) handle = timers.set(check, left > 0 ? left : milliseconds);
  }

  return {
    touch: () => {
      touched = timers.now();
    },
    stop: () => {
      stopped = true;
      timers.clear(handle);
    },
  };
}
