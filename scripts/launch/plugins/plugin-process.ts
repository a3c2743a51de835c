import { setTimeout as wait } from "node:timers/promises";
import type { Guard } from "../guard.ts";
import { type Confine, WorkerdChild } from "../workerd/workerd-child.ts";

/** Between looks at a process with open sockets, in ms: what eats memory gets that much further. */
const lookIntervalMs = 200;
/** The same while it rests: nobody waits for it, but something may have been left behind that goes on. */
const idleLookIntervalMs = 2000;
const pingIntervalMs = 1000;
/** How long the host may take to end isolates, in ms; one that is busy does so later. */
const restTimeoutMs = 500;
/** A socket that was closed so long before a process ended, in ms, may have been closed by that end. */
const justNowMs = 1000;

export interface Limits {
  /** Processor time without an answer, in seconds. */
  cpuSeconds: number;
  /** The same where the system does not tell processor time, by the clock. */
  wallSeconds: number;
  /** Resident memory in bytes. */
  memory: number;
}

/** What a warm isolate of Python takes, in bytes: a process that holds those of several plugins may have so much more for each. */
export const isolateBytes = 60e6;

export const usualLimits: Limits = { cpuSeconds: 5, wallSeconds: 15, memory: 700e6 };

const unexpected = "Its process ended unexpectedly";

/** A moment in the life of a process. */
interface Moment {
  /** Milliseconds of `performance.now()`. */
  time: number;
  /** Seconds of processor time until then. */
  cpu: number | undefined;
}

/** One process of the plugin host. It is monitored as long as it lives. */
export class PluginProcess {
  readonly socketPath: string;
  /** Resolves when it answers; rejects when it ends before. */
  readonly ready: Promise<void>;
  /** Resolves when it has ended, with why it was ended, or undefined when it was told to. */
  readonly ended: Promise<string | undefined>;
  /** Plugins that it serves. */
  readonly plugins = new Set<string>();
  /** Plugins with the same one may be in it too; undefined: those of no owner that is known. */
  wall: string | undefined;
  /** Those with their versions: each has an isolate, which is kept until the process ends. */
  readonly versions = new Set<string>();
  /** When the last socket was closed; milliseconds of `performance.now()`. */
  idleSince = performance.now();
  rss = 0;
  readonly #child: WorkerdChild;
  readonly #limits: Limits;
  readonly #warmIsolates: number;
  /** Of each plugin the open sockets, and when the last one was closed. */
  readonly #users = new Map<string, { open: number; closedAt: number }>();
  #sockets = 0;
  #suspects: string[] | undefined;
  /** Ends the pause between two looks. */
  #wake: AbortController | undefined;
  #reason: string | undefined = unexpected;
  #isEnding = false;
  #isRetired = false;

  /** @param warmIsolates how many the host keeps in it */
  constructor(
    configuration: Buffer,
    socketPath: string,
    guard: Guard,
    limits: Limits,
    warmIsolates: number,
    confine?: Confine,
  ) {
    this.socketPath = socketPath;
    this.#limits = limits;
    this.#warmIsolates = warmIsolates;
    this.#child = new WorkerdChild(configuration, socketPath, guard, confine);
    this.ended = this.#child.ended.then((how) => {
      if (this.#reason === unexpected) this.#reason = `${unexpected} (${how})`;
      this.#suspects ??= this.#usersSince(performance.now() - justNowMs);
      this.#isEnding = true;
      this.#wake?.abort();
      return this.#reason;
    });
    this.ready = this.#child.ready;
    this.ready.then(
      () => this.#watch(),
      // That it never came up is held against no plugin.
      () => this.stop(),
    );
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** It has ended, or is being ended: nobody new is to come to it. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** When it has ended for a reason: the plugins that may have been it. */
  get suspects(): readonly string[] {
    return this.#suspects ?? [];
  }

  get sockets(): number {
    return this.#sockets;
  }

  /** Whether it was stopped, or ended, while it served several plugins of one owner. */
  get wasShared(): boolean {
    return this.wall !== undefined && this.suspects.length > 1;
  }

  /** What it may have beyond one plugin's, in bytes. */
  get allowance(): number {
    return isolateBytes * (Math.max(1, Math.min(this.plugins.size, this.#warmIsolates)) - 1);
  }

  /** Has the host end isolates that nobody has used for so many ms. */
  async rest(unusedMs: number): Promise<void> {
    await this.#child.post(`/rest?unused=${unusedMs}`, restTimeoutMs);
  }

  /** To be called for every socket of a plugin; the result when it has closed. */
  addSocket(plugin: string): () => void {
    const user = this.#users.get(plugin) ?? { open: 0, closedAt: 0 };
    this.#users.set(plugin, user);
    user.open++;
    if (this.#sockets++ === 0) this.#wake?.abort();
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      user.open--;
      user.closedAt = performance.now();
      if (--this.#sockets > 0) return;
      this.idleSince = performance.now();
      if (this.#isRetired) this.stop();
    };
  }

  /** Ends it when its last socket has closed. */
  retire(): void {
    this.#isRetired = true;
    if (this.#sockets === 0) this.stop();
  }

  /** Resident memory in bytes, as it is now. */
  async measure(): Promise<number> {
    await this.#look();
    return this.rss;
  }

  /** Ends it because nobody needs it. */
  stop(): void {
    this.#end(undefined);
  }

  async #watch(): Promise<void> {
    let isInUse = false;
    /** The last sign of life while it is in use; else when it came to rest. */
    let last: Moment | undefined;
    let isAsked = false;
    let askedAt = 0;
    for (;;) {
      const usage = (await this.#look()) ?? { cpu: undefined, rss: 0 };
      if (this.#isEnding) return;
      const now = performance.now();
      if (last === undefined || isInUse !== this.#sockets > 0) {
        isInUse = this.#sockets > 0;
        last = { time: now, cpu: usage.cpu };
      }
      const isTold = usage.cpu !== undefined && last.cpu !== undefined;
      const isTooLong = isTold
        ? usage.cpu! - last.cpu! > this.#limits.cpuSeconds
        : now - last.time > this.#limits.wallSeconds * 1000;
      if (usage.rss > this.#limits.memory + this.allowance) return this.#end("It used too much memory and was stopped");
      if (isTooLong && isAsked) return this.#end("It ran too long without a pause and was stopped");
      if (isTooLong && isTold && !isInUse)
        return this.#end("It kept running after its calls had ended and was stopped");
      // At rest, processor time says enough.
      if ((isInUse || !isTold) && !isAsked && now - askedAt >= pingIntervalMs) {
        isAsked = true;
        askedAt = now;
        void this.#child.ping(60_000).then(async (isThere) => {
          isAsked = false;
          const cpu = (await this.#child.usage())?.cpu;
          if (isThere) last = { time: performance.now(), cpu };
        });
      }
      this.#wake = new AbortController();
      const pause = isInUse ? lookIntervalMs : idleLookIntervalMs;
      await wait(pause, undefined, { signal: this.#wake.signal, ref: false }).catch(() => undefined);
    }
  }

  async #look() {
    const usage = await this.#child.usage();
    if (usage) this.rss = usage.rss;
    return usage;
  }

  /** @param reason undefined where nothing is wrong with what it runs */
  #end(reason: string | undefined): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#reason = reason;
    const users = this.#usersSince(Infinity);
    this.#suspects = users.length > 0 ? users : [...this.plugins];
    this.#child.kill();
  }

  /** Plugins whose sockets are open, or were at that time (of `performance.now()`) or later. */
  #usersSince(time: number): string[] {
    return [...this.#users].filter(([, { open, closedAt }]) => open > 0 || closedAt >= time).map(([plugin]) => plugin);
  }
}
