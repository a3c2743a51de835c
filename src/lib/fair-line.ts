import { pause } from "./pause.ts";

export interface LineLimits {
  /** Of one person at once; a single entry may be heavier. */
  maxPersonWeight: number;
  /** Up to this weight nothing waits and nothing is counted. */
  freeWeight: number;
  maxPersonWaiting: number;
  maxWaitMs: number;
}

interface Entry {
  person: string;
  weight: number;
  /** The last sign of life, epoch milliseconds: discarded requests do not end properly. */
  seenAt: number;
}

/** The place of one request. */
export interface Place {
  /**
   * To be called while the weight becomes known.
   * @returns whether there is room for that much
   */
  grow(weight: number): boolean;
  free(): void;
}

/** Pause between two looks of the first in the line, and for each one who is before, in milliseconds. */
const lookMs = 50;
const lookMsForEach = 5;
const maxLookMs = 1000;
const heartbeatMs = 5000;
const lostMs = { held: 20_000, waiting: 3000 };

/**
 * Who may do at once what costs much: in order, but nobody waits for a person who has too many. Plain data: promises belong
 * to their requests.
 */
export class FairLine {
  readonly #limits: LineLimits;
  readonly #held = new Map<number, Entry>();
  readonly #waiting = new Map<number, Entry>();
  #last = 0;

  constructor(limits: LineLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a place, and waits for it if necessary.
   * @param maxWeight of all together
   * @returns undefined if the person has too many in the line, or there is no place for too long
   * @throws the signal's reason
   */
  async enter(person: string, weight: number, maxWeight: number, signal: AbortSignal): Promise<Place | undefined> {
    const number = ++this.#last;
    const entry: Entry = { person, weight, seenAt: Date.now() };
    const { freeWeight, maxPersonWaiting, maxWaitMs } = this.#limits;
    const until = entry.seenAt + maxWaitMs;
    const waiting = this.#waiting;
    try {
      while (!this.#mayEnter(number, entry, maxWeight)) {
        if (entry.seenAt >= until) return undefined;
        if (!waiting.has(number) && countOf(waiting, person) >= maxPersonWaiting) return undefined;
        waiting.set(number, entry);
        await pause(Math.min(maxLookMs, lookMs + lookMsForEach * this.#countBefore(number, person)), signal);
        entry.seenAt = Date.now();
      }
    } finally {
      waiting.delete(number);
    }
    let heartbeat: ReturnType<typeof setInterval> | undefined;
    const hold = () => {
      this.#held.set(number, entry);
      heartbeat ??= setInterval(() => (entry.seenAt = Date.now()), heartbeatMs);
    };
    // Ordinary requests need neither a place nor a timer.
    if (weight > freeWeight) hold();
    return {
      grow: (grown) => {
        if (grown <= Math.max(entry.weight, freeWeight)) return true;
        this.#held.delete(number);
        if (!this.#fits({ person, weight: grown }) || weightOf(this.#held) + grown > maxWeight) return false;
        entry.weight = grown;
        hold();
        return true;
      },
      free: () => {
        clearInterval(heartbeat);
        this.#held.delete(number);
      },
    };
  }

  #mayEnter(number: number, { weight, person, seenAt }: Entry, maxWeight: number): boolean {
    if (weight <= this.#limits.freeWeight) return true;
    dropLost(this.#held, seenAt - lostMs.held);
    dropLost(this.#waiting, seenAt - lostMs.waiting);
    if (!this.#fits({ person, weight })) return false;
    for (const [before, entry] of this.#waiting) {
      if (before >= number) break;
      if (this.#fits(entry)) return false;
    }
    const all = weightOf(this.#held);
    return all === 0 || all + weight <= maxWeight;
  }

  /** Whether it is not too much beside the others of its person. */
  #fits({ person, weight }: Pick<Entry, "person" | "weight">): boolean {
    const own = weightOf(this.#held, person);
    return own === 0 || own + weight <= this.#limits.maxPersonWeight;
  }

  /** How many of the same person are before this one. */
  #countBefore(number: number, person: string): number {
    let count = 0;
    for (const [before, entry] of this.#waiting) {
      if (before >= number) break;
      if (entry.person === person) count++;
    }
    return count;
  }
}

function weightOf(entries: ReadonlyMap<number, Entry>, person?: string): number {
  let weight = 0;
  for (const entry of entries.values()) if (person === undefined || entry.person === person) weight += entry.weight;
  return weight;
}

function countOf(entries: ReadonlyMap<number, Entry>, person: string): number {
  let count = 0;
  for (const entry of entries.values()) if (entry.person === person) count++;
  return count;
}

function dropLost(entries: Map<number, Entry>, before: number): void {
  for (const [number, { seenAt }] of entries) if (seenAt < before) entries.delete(number);
}
