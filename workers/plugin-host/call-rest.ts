import type { PluginAfterwards } from "../../src/plugins/plugin-host.ts";
import { CallLogs } from "./call-logs.ts";

/** Between looks whether it may still go on, in ms: it may do much without asking for anything. */
const checkIntervalMs = 2000;

/** What goes on of a call after its answer, until its time is up, it may not go on, or nothing is left of it. */
export class CallRest {
  readonly logs = new CallLogs();
  readonly #afterwards: PluginAfterwards;
  readonly #stop: () => void;
  readonly #since = Date.now();
  readonly #timer: ReturnType<typeof setTimeout>;
  #checking: ReturnType<typeof setTimeout> | undefined;
  isOver = false;

  /** @param stop called where it does not end by itself */
  constructor(afterwards: PluginAfterwards, limitMs: number, stop: () => void) {
    this.#afterwards = afterwards;
    this.#stop = stop;
    afterwards.begun?.();
    this.#timer = setTimeout(() => this.#end(), limitMs);
    this.#checkLater();
  }

  /** @throws Error with the reason where nothing more can be asked for */
  async check(): Promise<void> {
    this.#assertOpen();
    try {
      await this.#afterwards.check();
    } catch (error) {
      this.logs.add("warning", `What was left running after the answer was ended: ${(error as Error).message}`);
      this.#end();
      throw error;
    }
    this.#assertOpen();
  }

  /** Nothing is left of it. */
  over(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#checking);
    this.#afterwards.ended({ durationMs: Date.now() - this.#since, logs: this.logs.all });
  }

  #assertOpen(): void {
    if (this.isOver) throw new Error("The call has ended");
  }

  #end(): void {
    if (!this.isOver) this.#stop();
  }

  #checkLater(): void {
    this.#checking = setTimeout(() => {
      this.check().then(
        () => this.#checkLater(),
        () => undefined,
      );
    }, checkIntervalMs);
  }
}
