import type { Environment } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { FairLine, type Place } from "../../../lib/fair-line.ts";

/** Files of one person that may arrive at once; the next ones wait, and their bytes are not read meanwhile. */
const maxPersonUploads = 4;
/** Of all people together. */
const maxUploads = 64;

const limits = { maxPersonWeight: maxPersonUploads, freeWeight: 0, maxPersonWaiting: 1000, maxWaitMs: 300_000 };

/** By environment: one per isolate, and one for each of several services in one process. */
const lines = new WeakMap<Environment, FairLine>();

/**
 * Takes a place for a file that arrives. Somebody who sends hundreds at once waits, and the others do not.
 * @throws AppError `too_many_requests`; the signal's reason
 */
export async function takeUploadPlace(environment: Environment, userId: string, signal: AbortSignal): Promise<Place> {
  let line = lines.get(environment);
  if (!line) lines.set(environment, (line = new FairLine(limits)));
  const place = await line.enter(userId, 1, maxUploads, signal);
  if (place) return place;
  throw new AppError("too_many_requests", "You are sending too many files at once: try again later", {
    retryAfter: 30,
  });
}
