import type { JobKind } from "./tables.ts";

/**
 * Maximum number of concurrent jobs of a kind, in total and per person. Reading documents uses local processors;
 * embedding mostly waits for others. Deliveries only wait, and those to dead receivers must not delay others.
 */
export const jobLimits: Readonly<Record<JobKind, { all: number; person: number }>> = {
  extract: { all: 4, person: 3 },
  embed: { all: 6, person: 4 },
  rebuild: { all: 1, person: 1 },
  pull: { all: 4, person: 4 },
  deliver: { all: 64, person: 4 },
  reply: { all: 16, person: 4 },
  mail: { all: 4, person: 2 },
  // Each has a wheel in memory.
  packages: { all: 1, person: 1 },
};

/** Lifetime of a lease without renewal, and the renewal interval; milliseconds. */
export const leaseMs = 10_000;
export const heartbeatMs = 2500;

/** Maximum attempts of work that fails, or whose runners die, without progress. */
export const maxAttempts = 8;

/** Maximum number of runner processes that it may crash. */
export const maxDeaths = 3;
