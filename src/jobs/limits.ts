import type { JobKind } from "./tables.ts";

/**
 * How many jobs of a kind run at the same time, everywhere together, and how many of them may be one person's. What reads
 * documents costs processors here; what embeds waits for others most of the time. Deliveries only wait, and those that wait for
 * dead receivers are not to hold up others.
 */
export const jobLimits: Readonly<Record<JobKind, { all: number; person: number }>> = {
  extract: { all: 4, person: 3 },
  embed: { all: 6, person: 4 },
  rebuild: { all: 1, person: 1 },
  pull: { all: 4, person: 4 },
  deliver: { all: 64, person: 4 },
  reply: { all: 16, person: 4 },
};

/** How long a runner is believed to be alive after its last sign, and how often it gives one; milliseconds. */
export const leaseMs = 10_000;
export const heartbeatMs = 2500;

/** How often work is begun that breaks, or whose runners die, without coming forward. */
export const maxAttempts = 8;

/** How often it may take the process along that works on it. */
export const maxDeaths = 3;
