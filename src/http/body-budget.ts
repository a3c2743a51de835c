import type { Environment } from "../context.ts";
import { AppError } from "../errors.ts";
import { FairLine, type LineLimits } from "../lib/fair-line.ts";
import type { BucketLimits } from "../lib/token-bucket.ts";
import { TokenBuckets } from "../lib/token-buckets.ts";
import { bodyLimits } from "./body-limits.ts";

/** What one isolate knows about the bodies of requests in progress. */
interface Bodies {
  /** In memory, and waiting for memory; weights are bytes. */
  line: FairLine;
  /** What each person may still spend on bodies, in units. */
  allowances: TokenBuckets;
}

const lineLimits: LineLimits = {
  /** One of the largest bodies, or several smaller ones. */
  maxPersonWeight: 32_000_000,
  freeWeight: 64_000,
  maxPersonWaiting: 16,
  maxWaitMs: 10_000,
};

/** Of a person, in units: what the processor can do for one beside all others. */
const allowanceLimits: BucketLimits = { maxBurst: 400_000, maxPerSecond: 50_000 };
const maxAllowances = 1000;

/** By environment: one per isolate, and one for each of several services in one process. */
const states = new WeakMap<Environment, Bodies>();

function bodiesOf(environment: Environment): Bodies {
  let state = states.get(environment);
  if (!state)
    states.set(
      environment,
      (state = { line: new FairLine(lineLimits), allowances: new TokenBuckets(allowanceLimits, maxAllowances) }),
    );
  return state;
}

/** The place of one body among all that are in memory. */
export interface BodyPlace {
  /**
   * To be called while a body of unknown length arrives.
   * @throws AppError `too_many_requests` if it needs more than there is
   */
  grow(bytes: number): void;
  free(): void;
}

/**
 * Takes a place for a body, and waits for it if necessary: in order, but nobody waits for a person who has too many.
 * @param bytes the length, as far as it is known
 * @throws AppError `too_many_requests`; the signal's reason
 */
export async function holdBody(
  environment: Environment,
  person: string,
  bytes: number,
  signal: AbortSignal,
): Promise<BodyPlace> {
  const maxBytes = (environment.MAX_BODY_MEMORY ?? bodyLimits.MAX_BODY_MEMORY) * 1_000_000;
  const place = await bodiesOf(environment).line.enter(person, bytes, maxBytes, signal);
  if (!place) throw tooMany(2);
  return {
    grow(length) {
      if (!place.grow(length)) throw tooMany(2);
    },
    free: () => place.free(),
  };
}

/** Ordinary requests are free. */
const freeUnits = 2000;

/** What a body costs in units: one for each value, and one for every 400 bytes. */
export function unitsOf(bytes: number, values: number): number {
  const units = values + bytes / 400;
  return units > freeUnits ? units : 0;
}

/** @throws AppError `too_many_requests` if earlier bodies have used up the person's allowance */
export function requireAllowance(environment: Environment, person: string): void {
  const seconds = bodiesOf(environment).allowances.find(person)?.debtSeconds(Date.now()) ?? 0;
  if (seconds > 0) throw tooMany(Math.ceil(seconds));
}

/** Takes the units from the person's allowance, also beyond what is left of it. */
export function charge(environment: Environment, person: string, units: number): void {
  if (units === 0) return;
  const now = Date.now();
  bodiesOf(environment).allowances.open(person, now).spend(units, now);
}

function tooMany(retryAfter: number): AppError {
  const message = `Too many large requests are in progress. Try again in ${retryAfter} s.`;
  return new AppError("too_many_requests", message, { retryAfter });
}
