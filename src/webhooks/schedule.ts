/** Milliseconds from one attempt to the next: Svix's schedule (https://docs.svix.com/retries), 8 attempts in some 28 hours. */
const pausesMs = [5_000, 5 * 60_000, 30 * 60_000, 2 * 3600_000, 5 * 3600_000, 10 * 3600_000, 10 * 3600_000] as const;

export const maxAttempts = pausesMs.length + 1;

/** Attempts come up to so much later than that, as a share of the pause: what failed together does not come again together. */
const jitter = 0.1;

/** A receiver may ask for no longer pause than this, seconds. */
export const maxRetryAfterSeconds = 24 * 3600;

/** An endpoint that has taken nothing for so long is switched off, milliseconds. */
export const maxFailingMs = 5 * 24 * 3600_000;

/**
 * A delivery is given up after so long whatever happens, milliseconds: its endpoint may have been left alone for a while again
 * and again.
 */
export const maxDeliveryMs = 7 * 24 * 3600_000;

export interface FailedAttempt {
  /** Which it was, from 1 on. */
  number: number;
  /** When it was over, epoch milliseconds. */
  now: number;
  /** From 0 to 1. */
  random: number;
  /** Seconds, as its receiver said. */
  retryAfter?: number | undefined;
}

/** When the next attempt is due, epoch milliseconds; undefined after the last one. Never earlier than the receiver said. */
export function nextAttemptAt({ number, now, random, retryAfter = 0 }: FailedAttempt): number | undefined {
  const pause = pausesMs[number - 1];
  if (pause === undefined) return undefined;
  const due = Math.max(pause, Math.ceil(retryAfter * 1000));
  return now + Math.round(due * (1 + jitter * random));
}

/** First and longest time for which an endpoint is left alone that has too much to do, or does not answer; milliseconds. */
const throttleMs = { first: 5_000, max: 5 * 60_000 };

/**
 * Until when nothing is sent to an endpoint that is overloaded, epoch milliseconds: as long as it asked for, else a tenth of the
 * time for which it has failed already.
 * @param failingSince epoch milliseconds
 * @param retryAfter seconds, as its receiver said
 */
export function pausedUntil(now: number, failingSince: number, retryAfter: number | undefined): number {
  const grown = Math.min(Math.max((now - failingSince) / 10, throttleMs.first), throttleMs.max);
  return now + Math.ceil(retryAfter === undefined ? grown : retryAfter * 1000);
}
