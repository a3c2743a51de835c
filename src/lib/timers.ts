import { runListener } from "./run-listener.ts";

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

/** Longest time that a timer takes, milliseconds: as long as never. */
export const neverMs = 2 ** 31 - 1;

/** Shorter times get a timer of their own. Milliseconds. */
const leastSharedMs = 250;

class Deadline {
  readonly at: number;
  readonly run: () => void;
  constructor(at: number, run: () => void) {
    this.at = at;
    this.run = run;
  }
}

/**
 * Timers of one request, which share one of the runtime's, set for the first of them: almost all are cleared before they fire,
 * and to set and clear each costs more than to read a small answer. For one request only, because the runtime ends the timers of a
 * request together with it.
 * @param options `isRequest`: not of an object, so the runtime's timer may stay when nothing waits for it any more, for the next
 *   one, and goes with the request
 */
export function createSharedTimers(own: Timers = realTimers, { isRequest = false } = {}): Timers {
  const waiting = new Set<Deadline>();
  let armed: { at: number; handle: unknown } | undefined;

  function arm(at: number): void {
    if (armed) own.clear(armed.handle);
    armed = { at, handle: own.set(ring, Math.max(0, at - own.now())) };
  }

  function ring(): void {
    armed = undefined;
    const now = own.now();
    const due = [...waiting].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
    for (const each of due) {
      // The ones before may have cleared it.
      if (waiting.delete(each)) runListener(each.run);
    }
    if (waiting.size > 0 && !armed) arm(Math.min(...[...waiting].map(({ at }) => at)));
  }

  return {
    set(run, milliseconds) {
      if (milliseconds < leastSharedMs) return own.set(run, milliseconds);
      const deadline = new Deadline(own.now() + milliseconds, run);
      waiting.add(deadline);
      if (!armed || deadline.at < armed.at) arm(deadline.at);
      return deadline;
    },
    clear(handle) {
      if (!(handle instanceof Deadline)) return own.clear(handle);
      waiting.delete(handle);
      if (isRequest || waiting.size > 0 || !armed) return;
      own.clear(armed.handle);
      armed = undefined;
    },
    now: () => own.now(),
  };
}

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
  if (milliseconds >= neverMs) return { touch: () => undefined, stop: () => undefined };
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
