import type { Timers } from "../../src/lib/timers.ts";
import type { Lookup } from "../../src/ports.ts";

/** What is handed to a gate, and who waits for its answer. */
export interface Handed<Asked> {
  asked: Asked;
  settle(answer: string | undefined): void;
  fail(error: Error): void;
}

type Take<Asked> = (handed: readonly Handed<Asked>[]) => void;

/**
 * How long after a call the gate is sure to be in memory, in milliseconds: the runtime puts an object away after ten seconds
 * without one.
 */
const aliveMs = 3000;

/** The way to an object in this isolate without a call of it, as on one machine: a call costs as much as a small statement. */
export class NearGate<Asked> {
  readonly #maxWaitMs: number;
  #waiting: Handed<Asked>[] = [];
  #take: Take<Asked> | undefined;
  #ring: (() => void) | undefined;
  #aliveUntil = 0;

  /** @param maxWaitMs after this time without an answer the asker goes another way */
  constructor(maxWaitMs: number) {
    this.#maxWaitMs = maxWaitMs;
  }

  /** Whether the object lives in this isolate, so that a request can ask it without a call. */
  get isNear(): boolean {
    return this.#ring !== undefined && Date.now() <= this.#aliveUntil;
  }

  /**
   * To be called by the object with each call that reaches it: it is in this isolate, and will be for a while. From the first one on
   * it is the object that is asked.
   * @param take what waits, at each of the object's turns; always the same function of one object
   */
  note(take: Take<Asked>): void {
    this.#aliveUntil = Date.now() + aliveMs;
    if (this.#take === take) return;
    this.#take = take;
    void this.#serve(take);
  }

  /**
   * Asks the object. What comes until its turn reaches it together. Only for requests, not for other objects: workerd continues a
   * promise in the context of what resolves it, and there an object can no longer do I/O of its own.
   * @throws Error as the object does
   */
  async ask(timers: Timers, asked: Asked): Promise<string | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    // The runtime ends a request that waits for nothing of its own as one that hangs; and nobody is to wait for ever.
    const timer = timers.set(() => {
      this.#aliveUntil = 0;
      reject(new Error("the gate did not answer"));
    }, this.#maxWaitMs);
    this.#waiting.push({ asked, settle: resolve, fail: reject });
    this.#ring?.();
    try {
      return await promise;
    } finally {
      timers.clear(timer);
    }
  }

  /**
   * The promise that wakes it is the object's own: the runtime goes on with it as the object's work, whichever request resolves it,
   * and so with the promise of each request.
   */
  async #serve(take: Take<Asked>): Promise<never> {
    for (;;) {
      await new Promise<void>((resolve) => (this.#ring = resolve));
      const handed = this.#waiting;
      this.#waiting = [];
      if (handed.length > 0) take(handed);
    }
  }
}

/** A statement that finds one text. */
export type LookedUp = Parameters<Lookup>[0];

/** Not longer than any other timer of a completion: it is the first that is set, and they share it. */
export const nearLookups = new NearGate<LookedUp>(1000);
/** Pipelines that only read. It and `aliveMs` are less than the time that keeps the object in memory. */
export const nearReads = new NearGate<string>(5000);
