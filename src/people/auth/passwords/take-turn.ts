import { AppError } from "../../../errors.ts";

/** Callers that may wait; behind them it would take longer than anybody stays. */
const maxWaiting = 100;
/** Milliseconds until the next in line looks again; those further back look less often. */
const stepMs = 10;
const maxStepMs = 500;
/** Milliseconds after which a caller who no longer looks counts as gone: the runtime may drop a request without a word. */
const timeoutMs = 5000;

/** Callers in order of arrival, each with the time they were last seen. */
const line = new Map<object, number>();
/** When the next one may begin, in epoch milliseconds. */
let freeAt = 0;

/**
 * Runs the work when its turn comes: one after the other, with a pause of half its time behind each. In workerd hashing
 * holds up the whole isolate, so without pauses a burst of sign-ins would hold up every stream until its end. Callers look
 * for themselves, by timers of their own: there a request must not be woken by another request's promise.
 * @throws AppError `too_many_requests` when the line is too long.
 */
export async function takeTurn<T>(work: () => Promise<T>): Promise<T> {
  if (line.size >= maxWaiting) dropGone();
  if (line.size >= maxWaiting) {
    const message = "Too many sign-ins at the moment: try again in a few seconds";
    throw new AppError("too_many_requests", message, { retryAfter: 5 });
  }
  const ticket = {};
  line.set(ticket, Date.now());
  try {
    for (let ahead = positionOf(ticket); ahead > 0 || isResting(); ahead = positionOf(ticket)) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(maxStepMs, stepMs * Math.max(1, ahead))));
      // Somebody who was dropped though they still wait goes to the end of the line.
      line.set(ticket, Date.now());
      dropGone();
    }
    const start = Date.now();
    try {
      return await work();
    } finally {
      freeAt = Date.now() + (Date.now() - start) / 2;
    }
  } finally {
    line.delete(ticket);
  }
}

/** A pause longer than any hash is none: then the clock was set back. */
function isResting(): boolean {
  const left = freeAt - Date.now();
  return left > 0 && left < timeoutMs;
}

function positionOf(ticket: object): number {
  let position = 0;
  for (const other of line.keys()) {
    if (other === ticket) return position;
    position++;
  }
  return position;
}

function dropGone(): void {
  const oldest = Date.now() - timeoutMs;
  for (const [ticket, seen] of line) if (seen < oldest) line.delete(ticket);
}
