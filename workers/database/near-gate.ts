import type { Timers } from "../../src/lib/timers.ts";

/** What a statement asks, and who waits for it. */
export interface Asked {
  sql: string;
  args: (string | number | null)[];
  /** Told the one text that it reads; undefined where it finds no row. */
  settle(text: string | undefined): void;
  fail(error: Error): void;
}

/**
 * How long after a call the gate is sure to be in memory, in milliseconds: the runtime puts an object away after ten seconds
 * without one.
 */
const aliveMs = 3000;
/**
 * After this time without an answer the asker goes another way, milliseconds. Not longer than any other timer of a completion: it
 * is the first that is set, and they share it.
 */
const maxWaitMs = 1000;

let waiting: Asked[] = [];
let ring: (() => void) | undefined;
let aliveUntil = 0;

/** To be called by the gate with each call that reaches it: it is in this isolate, and will be for a while. */
export function noteGate(): void {
  aliveUntil = Date.now() + aliveMs;
}

/** Whether the gate lives in this isolate, as on one machine, so that a request can ask it without a call of the object. */
export function isGateNear(): boolean {
  return ring !== undefined && Date.now() <= aliveUntil;
}

/**
 * Asks the gate in this isolate. What comes until the gate's turn goes to the database in one message. Only for requests, not for
 * other objects: workerd continues a promise in the context of what resolves it, and there an object can no longer do I/O of its own.
 * @throws Error as `StatementGate.read` does
 */
export async function askNear(timers: Timers, sql: string, args: Asked["args"]): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  // The runtime ends a request that waits for nothing of its own as one that hangs; and nobody is to wait for ever.
  const timer = timers.set(() => {
    aliveUntil = 0;
    reject(new Error("the gate did not answer"));
  }, maxWaitMs);
  waiting.push({ sql, args, settle: resolve, fail: reject });
  ring?.();
  try {
    return await promise;
  } finally {
    timers.clear(timer);
  }
}

/**
 * Takes what waits, at each turn of the object that calls this. The promise that wakes it is the object's own: the runtime goes on
 * with it as the object's work, whichever request resolves it, and so with the promise of each request.
 */
export async function serveNear(take: (asked: readonly Asked[]) => void): Promise<never> {
  for (;;) {
    await new Promise<void>((resolve) => (ring = resolve));
    const asked = waiting;
    waiting = [];
    if (asked.length > 0) take(asked);
  }
}
