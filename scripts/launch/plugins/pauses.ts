/** Stops within this time count together; ms. */
const memory = 10 * 60_000;
/** So many stops are put up with. */
const tolerated = 3;
const firstPause = 15_000;
const longestPause = 10 * 60_000;

/** Plugins that are paused because their processes had to be stopped repeatedly. */
export class Pauses {
  readonly #now: () => number;
  readonly #stops = new Map<string, number[]>();
  /** When they were last among several that may have been it. */
  readonly #suspected = new Map<string, number>();

  /** @param now milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A process had to be stopped. @param suspects who may have been it: only where there is no other is it held against one */
  stopped(suspects: readonly string[]): void {
    const now = this.#now();
    for (const plugin of suspects) {
      if (suspects.length > 1) this.#suspected.set(plugin, now);
      else this.#stops.set(plugin, [...this.#recent(plugin), now]);
    }
  }

  /** Whether it is better kept apart from others for now. */
  isSuspect(plugin: string): boolean {
    const time = this.#suspected.get(plugin);
    if (time !== undefined && time > this.#now() - memory) return true;
    this.#suspected.delete(plugin);
    return this.#recent(plugin).length > 0;
  }

  /** Milliseconds until it is tried again; 0 for now. */
  remaining(plugin: string): number {
    const stops = this.#recent(plugin);
    const last = stops.at(-1);
    if (last === undefined || stops.length < tolerated) return 0;
    const pause = Math.min(firstPause * 2 ** (stops.length - tolerated), longestPause);
    return Math.max(0, last + pause - this.#now());
  }

  #recent(plugin: string): number[] {
    const since = this.#now() - memory;
    const stops = (this.#stops.get(plugin) ?? []).filter((time) => time > since);
    if (stops.length === 0) this.#stops.delete(plugin);
    return stops;
  }
}
