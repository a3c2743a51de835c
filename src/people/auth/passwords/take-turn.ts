import { AppError } from "../../../errors.ts";
import { HashLine, type Place } from "./hash-line.ts";

/** Longest time that one hash may take, in milliseconds: then the hashing counts as away. */
export const maxHashMs = 5000;
/** The same for hashes of other products: with 64 MB of memory they take 1.5 s alone, and many times that on a busy machine. */
export const maxOldHashMs = 20_000;
/** Longest wait, in milliseconds. */
const maxWaitMs = 15_000;
/** Milliseconds until those who wait look again. */
const stepMs = 20;
const retryAfterSeconds = 5;

/** So much longer, a turn whose request the runtime has dropped is over: it does not end by itself. */
const graceMs = 1000;

const line = new HashLine();

/**
 * Runs the work when it is its turn: one at a time, in the order of the line. Callers poll with their own timers, because a
 * request must not be woken by another request's promise.
 * @param maxMs how long the work may take
 * @throws AppError `too_many_requests` if too many wait, or after 15 s.
 */
export async function takeTurn<T>(place: Place, work: () => Promise<T>, maxMs = maxHashMs): Promise<T> {
  const start = Date.now();
  const ticket = line.join(place, start);
  if (!ticket) throw tooManySignIns();
  try {
    while (!line.begin(ticket, Date.now(), maxMs + graceMs)) {
      if (ticket.isRefused || Math.abs(Date.now() - start) > maxWaitMs) throw tooManySignIns();
      await new Promise((resolve) => setTimeout(resolve, stepMs));
    }
    return await work();
  } finally {
    line.leave(ticket);
  }
}

/** Whether somebody at this place could wait now. */
export function hasRoom(place: Place): boolean {
  return line.hasRoom(place, Date.now());
}

export function tooManySignIns(): AppError {
  const message = "Too many sign-ins at the moment: try again in a few seconds";
  return new AppError("too_many_requests", message, { retryAfter: retryAfterSeconds });
}
