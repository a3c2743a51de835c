/** How many calls run in each isolate of this process: what an isolate keeps open ends with the last of them. */
class RunningCalls {
  readonly #counts = new Map<string, number>();

  begin(isolate: string): void {
    this.#counts.set(isolate, this.count(isolate) + 1);
  }

  end(isolate: string): void {
    const rest = this.count(isolate) - 1;
    if (rest > 0) this.#counts.set(isolate, rest);
    else this.#counts.delete(isolate);
  }

  count(isolate: string): number {
    return this.#counts.get(isolate) ?? 0;
  }
}

export const runningCalls = new RunningCalls();

/** Of these, those that have answered and go on. */
export const restingCalls = new RunningCalls();
