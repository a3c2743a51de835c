import { AppError } from "../../errors.ts";

/** Hashes that run at once in one isolate. More would only be slower each, and take 16 MB each. */
const places = 2;
/** Callers that may wait; behind them it would take longer than anybody stays. */
const longest = 100;
/** Milliseconds between two looks. */
const step = 10;
/** Milliseconds after which a caller who no longer looks counts as gone: the runtime may drop a request without a word. */
const patience = 5000;

/** Callers in order of arrival, each with the time they were last seen. */
const line = new Map<object, number>();

/**
 * Runs the work when its turn comes. Callers look for themselves, by timers of their own: in workerd a request must not
 * be woken by another request's promise.
 * @throws AppError `too_many_requests` when the line is too long.
 */
export async function takeTurn<T>(work: () => Promise<T>): Promise<T> {
  if (line.size >= longest) dropGone();
  if (line.size >= longest)
    throw new AppError("too_many_requests", "Too many people are signing in right now: try again in some seconds", {
      retryAfter: 5,
    });
  const ticket = {};
  line.set(ticket, Date.now());
  try {
    while (!isNext(ticket)) {
      await new Promise((resolve) => setTimeout(resolve, step));
      line.set(ticket, Date.now());
    }
    return await work();
  } finally {
    line.delete(ticket);
  }
}

function isNext(ticket: object): boolean {
  if (ahead(ticket) < places) return true;
  dropGone();
  return ahead(ticket) < places;
}

/** A ticket that was dropped though its owner still waits goes to the end of the line at the next look. */
function ahead(ticket: object): number {
  let count = 0;
  for (const other of line.keys()) {
    if (other === ticket) return count;
    if (++count >= places) return count;
  }
  return count;
}

function dropGone(): void {
  const oldest = Date.now() - patience;
  for (const [ticket, seen] of line) if (seen < oldest) line.delete(ticket);
}
