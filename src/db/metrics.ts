import { Counter, Histogram, type Owner } from "../lib/metrics/series.ts";

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** `way`: `lookup` for the one statement of a sign-in check, `work` for everything else. */
export const roundTripDuration = new Histogram({
  name: "parley_database_request_duration_seconds",
  unit: "seconds",
  help: "Round trips to the database, with the time that they wait at the gate.",
  labels: ["way"],
  bounds,
});

export const roundTripFailures = new Counter({
  name: "parley_database_request_failures",
  help: "Round trips to the database without an answer. Statements that it refuses are not among them.",
  labels: ["way"],
});

/** `by`: `replica`, or `primary` where the replica failed, lagged or could not know what the request wrote. */
export const replicaReads = new Counter({
  name: "parley_database_replica_reads",
  help: "Reads that may be a second old, where there is a replica of the database.",
  labels: ["by"],
});

/** `line`: `lookups`, `reads` or `writes`. */
export const gateWait = new Histogram({
  name: "parley_database_gate_wait_seconds",
  unit: "seconds",
  help: "How long work waits at the gate for a free stream to the database. Only on one machine.",
  labels: ["line"],
  bounds,
});

/** The round trips of one request, together. */
export interface RoundTrips {
  count: number;
  ms: number;
}

/** Measures a round trip, whatever comes of it. @param trips where it is added, too */
export async function timedRoundTrip<T>(
  owner: Owner,
  way: "lookup" | "work",
  run: () => Promise<T>,
  trips?: RoundTrips,
): Promise<T> {
  const begun = performance.now();
  try {
    return await run();
  } catch (error) {
    roundTripFailures.add(owner, [way]);
    throw error;
  } finally {
    const ms = performance.now() - begun;
    roundTripDuration.observe(owner, [way], ms / 1000);
    if (trips) {
      trips.count++;
      trips.ms += ms;
    }
  }
}

/** How many wait at the gate now. Its numbers go up and down, unlike those of a counter. */
const waiting = new WeakMap<Owner, Map<string, number>>();

export function noteWaiting(owner: Owner, line: string, change: 1 | -1): void {
  let lines = waiting.get(owner);
  if (!lines) waiting.set(owner, (lines = new Map()));
  lines.set(line, (lines.get(line) ?? 0) + change);
}

export function waitingAtGate(owner: Owner): [line: string, count: number][] {
  return [...(waiting.get(owner) ?? [])];
}
