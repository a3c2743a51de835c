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
/** After this time without an answer the asker goes another way, milliseconds. */
const maxWaitMs = 1500;

let waiting: Asked[] = [];
let ring: (() => void) | undefined;
let aliveUntil = 0;

/** To be called by the gate with each call that reaches it: it is in this isolate, and will be for a while. */
export function noteGate(): void {
  aliveUntil = Date.now() + aliveMs;
}

/** Whether the gate lives in this isolate, as on one machine, so that it can be asked without a call of the object. */
export function isGateNear(): boolean {
  return ring !== undefined && Date.now() <= aliveUntil;
}

/**
 * Asks the gate in this isolate. What comes until the gate's turn goes to the database in one message.
 * @throws Error as `StatementGate.read` does
 */
export async function askNear(sql: string, args: Asked["args"]): Promise<string | undefined> {
  const late = Promise.withResolvers<never>();
  // The runtime ends a request that waits for nothing of its own as one that hangs; and nobody is to wait for ever.
  const timer = setTimeout(() => {
    aliveUntil = 0;
    late.reject(new Error("the gate did not answer"));
  }, maxWaitMs);
  try {
    const answer = new Promise<string | undefined>((settle, fail) => waiting.push({ sql, args, settle, fail }));
    ring?.();
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
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
