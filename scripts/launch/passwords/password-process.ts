import { setTimeout as wait } from "node:timers/promises";
import type { Guard } from "../guard.ts";
import { complain, say } from "../say.ts";
import type { Configuration } from "../workerd/configuration.ts";
import { type Confine, WorkerdChild } from "../workerd/workerd-child.ts";

/** Before a restart, in ms: doubled for each process that did not live for a minute, from the second on. */
const firstPauseMs = 250;
const maxPauseMs = 15_000;
const steadyAfterMs = 60_000;

/** The process that hashes passwords. It is started again whenever it ends, for ever: the rest of the service works without it. */
export class PasswordProcess {
  readonly #configuration: Configuration;
  readonly #socket: string;
  readonly #guard: Guard;
  readonly #confine: Confine | undefined;
  #child: WorkerdChild | undefined;
  /** Counts what ended soon, in a row. */
  #failures = 0;
  #restarts = 0;
  #isStopped = false;

  constructor(configuration: Configuration, socket: string, guard: Guard, confine?: Confine) {
    this.#configuration = configuration;
    this.#socket = socket;
    this.#guard = guard;
    this.#confine = confine;
  }

  get processes(): readonly { pid: number | undefined }[] {
    return this.#child ? [this.#child] : [];
  }

  /** How often it ended without being told to stop. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Resolves when it serves. @throws Error when it does not come up */
  async start(): Promise<{ close(): void }> {
    const child = await this.#spawn();
    void this.#keep(child);
    return { close: () => this.stop() };
  }

  /** Ends the process; the next one has the configuration of now. */
  renew(): void {
    this.#configuration.renew();
    this.#failures = 0;
    this.#child?.kill();
  }

  stop(): void {
    this.#isStopped = true;
    this.#child?.kill();
  }

  async #spawn(): Promise<WorkerdChild> {
    const configuration = await this.#configuration.get();
    if (this.#isStopped) throw new Error("It is stopping");
    const child = new WorkerdChild(configuration, this.#socket, this.#guard, this.#confine);
    this.#child = child;
    await child.ready;
    return child;
  }

  async #keep(first: WorkerdChild): Promise<void> {
    for (let child: WorkerdChild | undefined = first; !this.#isStopped;) {
      const start = performance.now();
      await child?.ended;
      if (this.#isStopped) return;
      this.#failures = performance.now() - start > steadyAfterMs ? 0 : this.#failures + 1;
      this.#restarts++;
      const pauseMs = this.#failures < 2 ? 0 : Math.min(maxPauseMs, firstPauseMs * 2 ** (this.#failures - 2));
      complain("The password process ended: restarting it.", "warn");
      await wait(pauseMs, undefined, { ref: false });
      try {
        child = await this.#spawn();
        say("The password process is running again.");
      } catch (error) {
        child = undefined;
        if (!this.#isStopped) complain(`The password process did not start: ${(error as Error).message}`);
      }
    }
  }
}
