/** Stops within this time count together; ms. */
const memory = 10 * 60_000;
/** So many stops are put up with. */
const tolerated = 3;
const firstPause = 15_000;
const longestPause = 10 * 60_000;

/** Which plugins are left alone for a while, because their processes had to be stopped again and again. */
export class Pauses {
  readonly #now: () => number;
  readonly #stops = new Map<string, number[]>();

  /** @param now milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  stopped(plugin: string): void {
    const now = this.#now();
    this.#stops.set(plugin, [...this.#recent(plugin), now]);
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
