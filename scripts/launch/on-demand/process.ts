import { setTimeout as wait } from "node:timers/promises";
import type { Guard } from "../guard.ts";
import { type Confine, WorkerdChild } from "../workerd/workerd-child.ts";

/** Between looks at a process that works, in ms: what eats memory gets that much further. */
const lookIntervalMs = 100;

export interface ProcessLimits {
  /** Processor time without any answer, in seconds. */
  cpuSeconds: number;
  /** The same where the system does not tell processor time, by the clock. */
  wallSeconds: number;
  /** Resident memory in bytes. */
  memory: number;
}

export const usualProcessLimits: ProcessLimits = { cpuSeconds: 90, wallSeconds: 300, memory: 900e6 };

/** Why a process ended though it had work: as ExtractorLost has it. */
export type Loss = "memory" | "time";

/** One process, for one piece of work at a time. While it works it is watched. */
export class OnDemandProcess {
  readonly socketPath: string;
  /** Resolves when it answers; rejects when it ends before. */
  readonly ready: Promise<void>;
  /** Resolves when it has ended: why, or undefined where it was told to. */
  readonly ended: Promise<Loss | undefined>;
  /** When it came to rest; milliseconds of `performance.now()`. */
  idleSince = performance.now();
  /** Resident memory in bytes when it was last looked at. */
  rss = 0;
  readonly #child: WorkerdChild;
  readonly #limits: ProcessLimits;
  /** What died on its own has run out of memory: there is nothing else in it to die of. */
  #reason: Loss | undefined = "memory";
  #isEnding = false;

  constructor(configuration: Buffer, socketPath: string, guard: Guard, limits: ProcessLimits, confine?: Confine) {
    this.socketPath = socketPath;
    this.#limits = limits;
    this.#child = new WorkerdChild(configuration, socketPath, guard, confine);
    this.ready = this.#child.ready;
    this.ended = this.#child.ended.then(() => {
      this.#isEnding = true;
      return this.#reason;
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** It has ended, or is being ended: nobody new is to come to it. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Call this when the process gets work. @returns callbacks for its signs of life and its end */
  begin(): { live(): void; end(): void } {
    const work = { isLive: true, isOver: false };
    void this.#watch(work);
    return {
      live: () => {
        work.isLive = true;
      },
      end: () => {
        work.isOver = true;
        this.idleSince = performance.now();
      },
    };
  }

  /** Ends it because nobody needs it, or what it does. */
  stop(): void {
    this.#end(undefined);
  }

  async #watch(work: { isLive: boolean; isOver: boolean }): Promise<void> {
    /** The last sign of life. */
    let last = { time: 0, cpu: 0 };
    for (;;) {
      const usage = await this.#child.usage();
      this.rss = usage?.rss ?? this.rss;
      if (work.isOver || this.#isEnding) return;
      const now = { time: performance.now(), cpu: usage?.cpu ?? 0 };
      if (work.isLive) last = now;
      work.isLive = false;
      const isTold = usage?.cpu !== undefined;
      const isTooLong = isTold
        ? now.cpu - last.cpu > this.#limits.cpuSeconds
        : now.time - last.time > this.#limits.wallSeconds * 1000;
      if (this.rss > this.#limits.memory) return this.#end("memory");
      if (isTooLong) return this.#end("time");
      await wait(lookIntervalMs, undefined, { ref: false });
    }
  }

  #end(reason: Loss | undefined): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#reason = reason;
    this.#child.kill();
  }
}
