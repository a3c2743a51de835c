import type { Environment } from "../context.ts";
import { AppError } from "../errors.ts";
import { pause } from "../lib/pause.ts";
import { TokenBucket, type BucketLimits } from "../lib/token-bucket.ts";
import { bodyLimits } from "./body-limits.ts";

/** What one isolate knows about the bodies of requests in progress. Plain data: promises belong to their requests. */
interface Bodies {
  /** Numbers entries. */
  last: number;
  /** Bodies in memory, and those that wait for memory, in order. */
  held: Map<number, Entry>;
  waiting: Map<number, Entry>;
  /** What each person may still spend on bodies, in units. */
  allowances: Map<string, TokenBucket>;
}

interface Entry {
  person: string;
  bytes: number;
  /** The last sign of life, epoch milliseconds: discarded requests do not end properly. */
  seenAt: number;
}

/** Bodies up to this size take no place, in bytes. */
const freeBytes = 64_000;
/** Of one person: one of the largest bodies, or several smaller ones. */
const maxPersonBytes = 32_000_000;
const maxPersonWaiting = 16;
const maxWaitMs = 10_000;
const lookMs = 50;
const heartbeatMs = 5000;
const lostMs = { held: 20_000, waiting: 3000 };

/** Of a person, in units: what the processor can do for one beside all others. */
const allowanceLimits: BucketLimits = { maxBurst: 400_000, maxPerSecond: 50_000 };
const maxAllowances = 1000;

/** By environment: one per isolate, and one for each of several services in one process. */
const states = new WeakMap<Environment, Bodies>();

function bodiesOf(environment: Environment): Bodies {
  let state = states.get(environment);
  if (!state)
    states.set(environment, (state = { last: 0, held: new Map(), waiting: new Map(), allowances: new Map() }));
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
  const state = bodiesOf(environment);
  const { held, waiting } = state;
  const number = ++state.last;
  const entry: Entry = { person, bytes, seenAt: Date.now() };
  const maxBytes = (environment.MAX_BODY_MEMORY ?? bodyLimits.MAX_BODY_MEMORY) * 1_000_000;
  const until = entry.seenAt + maxWaitMs;
  try {
    while (!mayEnter(state, number, entry, maxBytes)) {
      const isNew = !waiting.has(number);
      if (entry.seenAt >= until || (isNew && countOf(waiting, person) >= maxPersonWaiting)) throw tooMany(2);
      waiting.set(number, entry);
      await pause(lookMs, signal);
      entry.seenAt = Date.now();
    }
  } finally {
    waiting.delete(number);
  }
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  const hold = () => {
    held.set(number, entry);
    heartbeat ??= setInterval(() => (entry.seenAt = Date.now()), heartbeatMs);
  };
  // Ordinary requests need neither a place nor a timer.
  if (bytes > freeBytes) hold();
  return {
    grow(length) {
      if (length <= Math.max(entry.bytes, freeBytes)) return;
      held.delete(number);
      const grown = { person, bytes: length };
      if (!fits(held, grown) || bytesOf(held) + length > maxBytes) throw tooMany(2);
      Object.assign(entry, grown);
      hold();
    },
    free() {
      clearInterval(heartbeat);
      held.delete(number);
    },
  };
}

function mayEnter({ held, waiting }: Bodies, number: number, { bytes, person, seenAt }: Entry, maxBytes: number) {
  if (bytes <= freeBytes) return true;
  dropLost(held, seenAt - lostMs.held);
  dropLost(waiting, seenAt - lostMs.waiting);
  if (!fits(held, { person, bytes })) return false;
  for (const [before, entry] of waiting) {
    if (before >= number) break;
    if (fits(held, entry)) return false;
  }
  const all = bytesOf(held);
  return all === 0 || all + bytes <= maxBytes;
}

/** Whether a body is not too much beside the others of its person. */
function fits(held: ReadonlyMap<number, Entry>, { person, bytes }: Pick<Entry, "person" | "bytes">): boolean {
  const own = bytesOf(held, person);
  return own === 0 || own + bytes <= maxPersonBytes;
}

function bytesOf(entries: ReadonlyMap<number, Entry>, person?: string): number {
  let bytes = 0;
  for (const entry of entries.values()) if (person === undefined || entry.person === person) bytes += entry.bytes;
  return bytes;
}

function countOf(entries: ReadonlyMap<number, Entry>, person: string): number {
  return [...entries.values()].filter((entry) => entry.person === person).length;
}

function dropLost(entries: Map<number, Entry>, before: number): void {
  for (const [number, { seenAt }] of entries) if (seenAt < before) entries.delete(number);
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
  const seconds = bodiesOf(environment).allowances.get(person)?.debtSeconds(Date.now()) ?? 0;
  if (seconds > 0) throw tooMany(Math.ceil(seconds));
}

/** Takes the units from the person's allowance, also beyond what is left of it. */
export function charge(environment: Environment, person: string, units: number): void {
  if (units === 0) return;
  const { allowances } = bodiesOf(environment);
  const now = Date.now();
  const allowance = allowances.get(person) ?? new TokenBucket(allowanceLimits, now);
  allowances.set(person, allowance);
  allowance.spend(units, now);
  if (allowances.size <= maxAllowances) return;
  for (const [key, each] of allowances) if (each.isFull(now)) allowances.delete(key);
}

function tooMany(retryAfter: number): AppError {
  const message = `Too many large requests are in progress. Try again in ${retryAfter} s.`;
  return new AppError("too_many_requests", message, { retryAfter });
}
