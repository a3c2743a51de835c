import { type BucketLimits, TokenBucket } from "./token-bucket.ts";

/** A bucket for each key. Where there are many, the full ones go: they are as good as new ones. */
export class TokenBuckets {
  readonly #limits: BucketLimits;
  readonly #maxKept: number;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(limits: BucketLimits, maxKept: number) {
    this.#limits = limits;
    this.#maxKept = maxKept;
  }

  /** Undefined for a key from which nothing was taken. */
  find(key: string): TokenBucket | undefined {
    return this.#buckets.get(key);
  }

  /** The key's bucket, to take from. */
  open(key: string, now: number): TokenBucket {
    const found = this.#buckets.get(key);
    if (found) return found;
    if (this.#buckets.size >= this.#maxKept)
      for (const [other, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(other);
    const made = new TokenBucket(this.#limits, now);
    this.#buckets.set(key, made);
    return made;
  }
}
