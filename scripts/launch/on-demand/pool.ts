import { availableParallelism } from "node:os";
import path from "node:path";
import type { Guard } from "../guard.ts";
import { Configuration } from "../workerd/configuration.ts";
import type { Confine } from "../workerd/workerd-child.ts";
import { OnDemandProcess, type ProcessLimits, usualProcessLimits } from "./process.ts";

/**
 * One that is larger than this after its work is not used again: memory of WebAssembly is never given back, and little documents let a
 * heap grow that nobody tidies. While others wait it may be larger, because a start costs them time.
 */
const renewAboveBytes = { waiting: 350e6, idle: 150e6 };

export interface PoolRules {
  /** What the processes are for; their sockets begin with it. */
  name: string;
  limits?: ProcessLimits;
  maxProcesses?: number;
  /** As `renewAboveBytes.idle`. */
  maxIdleBytes?: number;
  /** Without work, in ms. */
  idleMs?: number;
  /** How long it may go on without the caller, in ms. */
  graceMs?: number;
}

export interface PoolOptions extends PoolRules {
  /** As compileLoneWorker makes it; asked for when the first process starts. */
  configuration(): Promise<Buffer>;
  /** Folder for sockets, which only this user may enter. */
  folder: string;
  guard: Guard;
  confine?: Confine;
}

/**
 * Processes that are there while they are needed: as many as there are pieces of work, at most a few; others wait in the order
 * they came. One that is taken stays until it is given back: only what is idle ends.
 */
export class OnDemandPool {
  readonly #options: PoolOptions;
  readonly #idle: OnDemandProcess[] = [];
  readonly #all = new Set<OnDemandProcess>();
  readonly #waiting: (() => void)[] = [];
  readonly #configuration: Configuration;
  #taken = 0;
  #count = 0;
  #tidying: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#configuration = new Configuration(options.configuration);
  }

  get name(): string {
    return this.#options.name;
  }

  get graceMs(): number {
    return this.#options.graceMs ?? 0;
  }

  get processes(): readonly OnDemandProcess[] {
    return [...this.#all];
  }

  /**
   * A process for one piece of work, ready; it has to be given back.
   * @param signal of a caller that may go away while it waits
   * @throws Error when none comes up, or the signal's reason
   */
  async take(signal: AbortSignal): Promise<OnDemandProcess> {
    await this.#turn(signal);
    let process: OnDemandProcess | undefined;
    try {
      process = this.#idle.pop() ?? (await this.#start());
      await process.ready;
      signal.throwIfAborted();
      return process;
    } catch (error) {
      if (process && !signal.aborted) process.stop();
      this.#next(process);
      throw error;
    }
  }

  giveBack(process: OnDemandProcess): void {
    this.#next(process);
  }

  /** Ends all of them; those that come after get the configuration again. */
  renew(): void {
    this.#configuration.renew();
    for (const process of this.#all) process.stop();
    this.#idle.length = 0;
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#tidying);
    this.renew();
  }

  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const max = this.#options.maxProcesses ?? Math.min(4, Math.max(2, availableParallelism()));
    if (this.#taken < max) {
      this.#taken++;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    const leave = () => {
      const at = this.#waiting.indexOf(resolve);
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", leave, { once: true });
    await promise;
    signal.removeEventListener("abort", leave);
  }

  /** The next one's turn, with this process if it is still good. */
  #next(process: OnDemandProcess | undefined): void {
    const { maxIdleBytes = renewAboveBytes.idle } = this.#options;
    const maxBytes = this.#waiting.length > 0 ? renewAboveBytes.waiting : maxIdleBytes;
    if (process && process.rss > maxBytes) process.stop();
    if (process?.isEnding === false && !this.#isStopped) this.#idle.push(process);
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken--;
  }

  async #start(): Promise<OnDemandProcess> {
    const configuration = await this.#configuration.get();
    if (this.#isStopped) throw new Error("The launcher is stopping");
    const { folder, guard, confine, limits = usualProcessLimits } = this.#options;
    const name = `${this.name}${this.#count++}`;
    const socketPath = path.join(folder, name, `${name}.sock`);
    const process = new OnDemandProcess(configuration, socketPath, guard, limits, confine);
    this.#all.add(process);
    this.#tidying ??= setInterval(() => this.#tidy(), Math.min(15_000, this.#idleMs)).unref();
    void process.ended.then(() => {
      this.#all.delete(process);
      const at = this.#idle.indexOf(process);
      if (at !== -1) this.#idle.splice(at, 1);
    });
    return process;
  }

  #tidy(): void {
    const oldest = performance.now() - this.#idleMs;
    for (const process of this.#idle.filter(({ idleSince }) => idleSince < oldest)) {
      this.#idle.splice(this.#idle.indexOf(process), 1);
      process.stop();
    }
  }

  get #idleMs(): number {
    return this.#options.idleMs ?? 2 * 60_000;
  }
}
