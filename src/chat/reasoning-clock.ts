import type { ReplyDelta } from "../upstream/answers/accumulate-reply.ts";

/** How long a model has thought: from the first piece of each stretch of reasoning to the first text after it. */
export class ReasoningClock {
  #since: number | undefined;
  #total = 0;
  #hasRun = false;

  /** @param now epoch milliseconds */
  add({ content, reasoning }: Omit<ReplyDelta, "choice">, now: number): void {
    if (reasoning) this.#start(now);
    // Blank lines between two thoughts end neither.
    if (content?.trim()) this.stop(now);
  }

  /**
   * The answer has ended.
   * @param now epoch milliseconds
   */
  stop(now: number): void {
    if (this.#since === undefined) return;
    this.#total += now - this.#since;
    this.#since = undefined;
  }

  /** Undefined where there was no reasoning. */
  get seconds(): number | undefined {
    return this.#hasRun ? this.#total / 1000 : undefined;
  }

  #start(now: number): void {
    this.#since ??= now;
    this.#hasRun = true;
  }
}
