import { type ChildProcess, spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import type { Guard } from "../guard.ts";
import { readUsage } from "./process-usage.ts";
import { workerdBinary } from "./workerd-binary.ts";

const startLimit = 10_000;
/** Between looks at a process with open sockets, in ms: what eats memory gets that much further. */
const lookEvery = 200;
const pingEvery = 1000;

export interface Limits {
  /** Processor time without an answer, in seconds. */
  cpuSeconds: number;
  /** The same where the system does not tell processor time, by the clock. */
  wallSeconds: number;
  /** Resident memory in bytes. */
  memory: number;
}

export const usualLimits: Limits = { cpuSeconds: 5, wallSeconds: 15, memory: 700e6 };

const unexpected = "Its process ended unexpectedly";

/** Chats come first: plugins get what they leave. */
const niceness = "10";

/** One process of the plugin host. It is watched while sockets are open. */
export class PluginProcess {
  readonly socketPath: string;
  /** Resolves when it answers; rejects when it ends before. */
  readonly ready: Promise<void>;
  /** Resolves when it has ended, with why it was ended, or undefined when it was told to. */
  readonly ended: Promise<string | undefined>;
  /** Plugins that it serves. */
  readonly plugins = new Set<string>();
  /** Those with their versions: each has an isolate, which is kept until the process ends. */
  readonly versions = new Set<string>();
  /** When the last socket was closed; milliseconds of `performance.now()`. */
  idleSince = performance.now();
  rss = 0;
  readonly #child: ChildProcess;
  readonly #limits: Limits;
  #sockets = 0;
  #watching: AbortController | undefined;
  #reason: string | undefined = unexpected;
  #hasEnded = false;
  #isRetired = false;

  constructor(configuration: Buffer, socketPath: string, guard: Guard, limits: Limits) {
    this.socketPath = socketPath;
    this.#limits = limits;
    rmSync(socketPath, { force: true });
    const args = ["serve", "--binary", "--experimental", `--socket-addr=host=unix:${socketPath}`, "-"];
    const child = spawn("nice", ["-n", niceness, workerdBinary, ...args], {
      // Plugins could write there without end, and whoever reads it would have no time for anything else. What they print inside
      // of calls goes to the calls' logs.
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
      env: { PATH: process.env["PATH"], TZ: "UTC" },
    });
    this.#child = child;
    guard.add(child, "workerd");
    child.stdin.on("error", () => undefined);
    child.stdin.end(configuration);
    this.ended = new Promise((resolve) => {
      const end = (how: number | Error | null, signal?: string | null) => {
        if (this.#reason === unexpected)
          this.#reason = `${unexpected} (${signal ?? (how instanceof Error ? how.message : `code ${how}`)})`;
        this.#hasEnded = true;
        this.#watching?.abort();
        rmSync(socketPath, { force: true });
        resolve(this.#reason);
      };
      child.once("exit", end);
      child.once("error", end);
    });
    this.ready = this.#untilReady();
    this.ready.catch(() => undefined);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get sockets(): number {
    return this.#sockets;
  }

  /** To be called for every socket; the result when it has closed. */
  addSocket(): () => void {
    if (this.#sockets++ === 0) void this.#watch();
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      if (--this.#sockets > 0) return;
      this.idleSince = performance.now();
      this.#watching?.abort();
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
    this.#reason = undefined;
    this.#child.kill("SIGKILL");
  }

  async #untilReady(): Promise<void> {
    const limit = performance.now() + startLimit;
    while (!(await this.#ping(500))) {
      if (this.#hasEnded) throw new Error(this.#reason ?? "It was stopped while it started");
      if (performance.now() > limit) {
        this.stop();
        throw new Error("A process of the plugin host did not come up");
      }
      await wait(5);
    }
    // When memory runs short, the system ends a plugin before anything else. It may refuse, as on other systems.
    try {
      writeFileSync(`/proc/${this.pid}/oom_score_adj`, "800");
    } catch {
      return;
    }
  }

  async #watch(): Promise<void> {
    const watching = (this.#watching = new AbortController());
    const { signal } = watching;
    let pongAt = performance.now();
    let cpuAtPong = (await this.#look())?.cpu;
    let isAsked = false;
    let askedAt = 0;
    while (!signal.aborted) {
      if (!isAsked && performance.now() - askedAt >= pingEvery) {
        isAsked = true;
        askedAt = performance.now();
        void this.#ping(60_000).then(async (isThere) => {
          isAsked = false;
          if (!isThere) return;
          pongAt = performance.now();
          cpuAtPong = (await readUsage(this.#child.pid!))?.cpu;
        });
      }
      await wait(lookEvery, undefined, { signal, ref: false }).catch(() => undefined);
      const usage = signal.aborted ? undefined : await this.#look();
      if (signal.aborted || usage === undefined) return;
      if (usage.rss > this.#limits.memory) return this.#kill("It used too much memory and was stopped");
      const isStuck =
        usage.cpu === undefined || cpuAtPong === undefined
          ? performance.now() - pongAt > this.#limits.wallSeconds * 1000
          : usage.cpu - cpuAtPong > this.#limits.cpuSeconds;
      if (isAsked && isStuck) return this.#kill("It ran too long without a pause and was stopped");
    }
  }

  async #look() {
    const usage = this.#child.pid === undefined ? undefined : await readUsage(this.#child.pid);
    if (usage) this.rss = usage.rss;
    return usage;
  }

  #kill(reason: string): void {
    this.#reason = reason;
    this.#child.kill("SIGKILL");
  }

  #ping(timeout: number): Promise<boolean> {
    return new Promise((resolve) => {
      const request = get({ socketPath: this.socketPath, path: "/ping", timeout, agent: false }, (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode === 200));
        response.once("error", () => resolve(false));
      });
      request.once("timeout", () => request.destroy());
      request.once("error", () => resolve(false));
    });
  }
}
