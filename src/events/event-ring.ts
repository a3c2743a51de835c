interface Entry {
  seq: number;
  text: string;
  /** What it counts as of the whole length. */
  length: number;
}

export interface RingLimits {
  events: number;
  /** UTF-16 units of all texts together, each times its weight. */
  length: number;
  /** Characters that are sent again to a tab that comes back. A tab that missed more loads everything over HTTP. */
  replay: number;
}

/** The latest events of a sequence, within limits, so that a reconnecting tab gets what it missed. */
export class EventRing {
  readonly #limits: RingLimits;
  #entries: Entry[] = [];
  /** Where the kept entries start; earlier ones are removed from time to time, not at each push. */
  #start = 0;
  #length = 0;
  /** Number of the last event that is not kept. */
  #floor: number;

  constructor(limits: RingLimits, floor: number) {
    this.#limits = limits;
    this.#floor = floor;
  }

  /** @param seq one more than that of the last event */
  push(seq: number, text: string, weight = 1): void {
    const length = weight * text.length;
    this.#entries.push({ seq, text, length });
    this.#length += length;
    while (this.#entries.length - this.#start > this.#limits.events || this.#length > this.#limits.length) {
      const dropped = this.#entries[this.#start]!;
      this.#start += 1;
      this.#length -= dropped.length;
      this.#floor = dropped.seq;
    }
    if (this.#start > 1024 && this.#start * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#start);
      this.#start = 0;
    }
  }

  /** All events after `seq` in order; undefined when some of them are no longer here, or too much, or `seq` lies ahead. */
  after(seq: number, last: number): { seq: number; text: string }[] | undefined {
    if (seq < this.#floor || seq > last) return undefined;
    const from = this.#entries.length - (last - seq);
    const entries = this.#entries.slice(Math.max(this.#start, from));
    const length = entries.reduce((sum, { text }) => sum + text.length, 0);
    return length > this.#limits.replay ? undefined : entries;
  }
}
