export interface BucketLimits {
  /** What may be taken at once after a silence. */
  maxBurst: number;
  /** What may be taken for long. */
  maxPerSecond: number;
}

/** A token bucket. Times are epoch milliseconds; clocks that go back add nothing. */
export class TokenBucket {
  readonly #limits: BucketLimits;
  #left: number;
  #filledAt: number;

  constructor(limits: BucketLimits, now: number) {
    this.#limits = limits;
    this.#left = limits.maxBurst;
    this.#filledAt = now;
  }

  /** @returns whether there was one to take */
  take(now: number): boolean {
    if (this.#fill(now) < 1) return false;
    this.#left -= 1;
    return true;
  }

  giveBack(): void {
    this.#left = Math.min(this.#limits.maxBurst, this.#left + 1);
  }

  /** Takes so many, also beyond what is left. */
  spend(count: number, now: number): void {
    this.#left = this.#fill(now) - count;
  }

  /** Seconds until what was spent beyond the end has come back; 0 if nothing was. */
  debtSeconds(now: number): number {
    return Math.max(0, -this.#fill(now) / this.#limits.maxPerSecond);
  }

  isFull(now: number): boolean {
    return this.#fill(now) === this.#limits.maxBurst;
  }

  /** @returns how many there are */
  #fill(now: number): number {
    const { maxBurst, maxPerSecond } = this.#limits;
    const seconds = Math.max(0, now - this.#filledAt) / 1000;
    this.#left = Math.min(maxBurst, this.#left + seconds * maxPerSecond);
    this.#filledAt = Math.max(this.#filledAt, now);
    return this.#left;
  }
}
