/** Stops within this time count together; ms. */
const windowMs = 10 * 60_000;
/** So many stops are put up with. */
const toleratedStops = 3;
const firstPauseMs = 15_000;
const maxPauseMs = 10 * 60_000;

/** Plugins that are paused because their processes had to be stopped repeatedly. */
export class Pauses {
  readonly #now: () => number;
  readonly #stops = new Map<string, number[]>();
  /** When they were last among several that may have been it, and which these were. */
  readonly #suspected = new Map<string, { time: number; together: readonly string[] }>();

  /** @param now milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A process had to be stopped. @param suspects who may have been it: only where there is no other is it held against one */
  stopped(suspects: readonly string[]): void {
    const now = this.#now();
    for (const plugin of suspects) {
      if (suspects.length > 1) {
        this.#suspected.set(plugin, { time: now, together: suspects });
        continue;
      }
      this.#stops.set(plugin, [...this.#recent(plugin), now]);
      this.#clear(plugin);
    }
  }

  /** Whether it is better kept apart from others for now. */
  isSuspect(plugin: string): boolean {
    const suspected = this.#suspected.get(plugin);
    if (suspected && suspected.time > this.#now() - windowMs) return true;
    this.#suspected.delete(plugin);
    return this.#recent(plugin).length > 0;
  }

  /** Milliseconds until it is tried again; 0 for now. */
  remaining(plugin: string): number {
    const stops = this.#recent(plugin);
    const last = stops.at(-1);
    if (last === undefined || stops.length < toleratedStops) return 0;
    const pause = Math.min(firstPauseMs * 2 ** (stops.length - toleratedStops), maxPauseMs);
    return Math.max(0, last + pause - this.#now());
  }

  /** It was this one, so the others that were suspected with it were not. */
  #clear(plugin: string): void {
    const together = this.#suspected.get(plugin)?.together;
    if (!together) return;
    for (const other of together) if (this.#suspected.get(other)?.together === together) this.#suspected.delete(other);
  }

  #recent(plugin: string): number[] {
    const since = this.#now() - windowMs;
    const stops = (this.#stops.get(plugin) ?? []).filter((time) => time > since);
    if (stops.length === 0) this.#stops.delete(plugin);
    return stops;
  }
}
