import type { Timers } from "../../src/lib/timers.ts";

export interface ManualTimers extends Timers {
  /** Lets time pass; timers fire in the order they are due. */
  advance(milliseconds: number): void;
  /** How many timers are set. */
  readonly pending: number;
}

/** Time that stands still until it is told to pass. */
export function createManualTimers(): ManualTimers {
  let time = 1_000_000;
  const due = new Map<object, { at: number; run: () => void }>();
  return {
    set: (run, milliseconds) => {
      const handle = {};
      due.set(handle, { at: time + milliseconds, run });
      return handle;
    },
    clear: (handle) => {
      due.delete(handle as object);
    },
    now: () => time,
    advance: (milliseconds) => {
      const end = time + milliseconds;
      for (;;) {
        const [next] = [...due].filter(([, timer]) => timer.at <= end).sort(([, a], [, b]) => a.at - b.at);
        if (!next) break;
        due.delete(next[0]);
        time = Math.max(time, next[1].at);
        next[1].run();
      }
      time = end;
    },
    get pending() {
      return due.size;
    },
  };
}
