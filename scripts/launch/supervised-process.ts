import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import type { Guard } from "./guard.ts";
import { complain, say } from "./say.ts";
import { maxSilenceMs, watch } from "./watchdog.ts";

/** Five ends within a minute: what keeps dying will not be mended by starting it once more. */
const maxRestarts = 5;
const restartWindowMs = 60_000;

export interface ProcessPlan {
  /** As people know it and as the command line contains it, such as "sqld". */
  name: string;
  spawn(): ChildProcess;
  /** Resolves when the process serves; rejects when it does not come up. `signal` is aborted when the process ends. */
  untilReady(signal: AbortSignal): Promise<void>;
  /** Asks something cheap of it; resolves with whether it answered, and never rejects. Without this, nobody notices its silence. */
  answers?(): Promise<boolean>;
  /** The last words of the process, shown when it is given up. */
  lastWords(): string;
  /** How long a process may take to end by itself, in ms. */
  stopTimeoutMs: number;
  /** Before the second restart, in ms; doubled for each further one. The first restart comes at once. */
  firstPauseMs?: number;
}

/** A child of the launcher: started, monitored, restarted with growing pauses, stopped. */
export class SupervisedProcess {
  readonly #plan: ProcessPlan;
  readonly #guard: Guard;
  readonly #giveUp: (message: string) => void;
  #child: ChildProcess | undefined;
  #ends: number[] = [];
  #stopping = false;
  #restarts = 0;
  #silences = 0;
  #isSilent = false;

  constructor(plan: ProcessPlan, guard: Guard, giveUp: (message: string) => void) {
    this.#plan = plan;
    this.#guard = guard;
    this.#giveUp = giveUp;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** How often it ended without being told to. */
  get restarts(): number {
    return this.#restarts;
  }

  /** How often it was silent for so long that it was replaced. */
  get silences(): number {
    return this.#silences;
  }

  /** @throws when the process ends before it serves, with its last words */
  async start(): Promise<void> {
    const child = await this.#run();
    child.once("exit", () => void this.#restart());
  }

  /** Stops the process and starts it again from its plan, without counting that as a failure. */
  async replace(): Promise<void> {
    await this.stop();
    this.#stopping = false;
    await this.start();
  }

  /** Asks the process to end, then makes it. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), this.#plan.stopTimeoutMs);
    await gone;
    clearTimeout(timer);
  }

  async #run(): Promise<ChildProcess> {
    const child = this.#plan.spawn();
    this.#child = child;
    this.#guard.add(child, this.#plan.name);
    const ended = new AbortController();
    child.once("error", (error) => ended.abort(error));
    child.once("exit", (code, signal) =>
      ended.abort(new Error(`${this.#plan.name} ended (${signal ?? `code ${code}`})`)),
    );
    try {
      await this.#plan.untilReady(ended.signal);
      ended.signal.throwIfAborted();
    } catch (error) {
      child.kill("SIGKILL");
      throw error;
    }
    this.#watch(child);
    return child;
  }

  #watch(child: ChildProcess): void {
    const { answers } = this.#plan;
    if (answers === undefined) return;
    const end = watch(answers, () => {
      this.#silences++;
      this.#isSilent = true;
      child.kill("SIGKILL");
    });
    child.once("exit", end);
  }

  async #restart(): Promise<void> {
    for (;;) {
      if (this.#stopping) return;
      this.#restarts++;
      const now = performance.now();
      this.#ends = [...this.#ends.filter((end) => now - end < restartWindowMs), now];
      if (this.#ends.length > maxRestarts) {
        this.#giveUp(
          `${this.#plan.name} ended ${this.#ends.length} times within a minute. ${this.#plan.lastWords()}`.trim(),
        );
        return;
      }
      const pause = this.#ends.length === 1 ? 0 : (this.#plan.firstPauseMs ?? 250) * 2 ** (this.#ends.length - 2);
      const what = this.#isSilent ? `has not answered for ${maxSilenceMs / 1000} s` : "ended unexpectedly";
      this.#isSilent = false;
      complain(`${this.#plan.name} ${what}: restarting it${pause > 0 ? ` in ${pause / 1000} s` : ""}.`, "warn");
      await wait(pause);
      if (this.#stopping) return;
      try {
        const child = await this.#run();
        say(`${this.#plan.name} is running again.`);
        child.once("exit", () => void this.#restart());
        return;
      } catch (error) {
        if (!this.#stopping) complain(error instanceof Error ? error.message : String(error));
      }
    }
  }
}
