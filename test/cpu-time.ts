import process from "node:process";

/**
 * Begins to count what this thread works, in milliseconds; what comes back says how much it is by now. A machine that has other
 * things to do adds nothing to it, as it would to a clock.
 */
export function startCpuClock(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
}

/** Milliseconds that this thread works for what is done. */
export function cpuTime(work: () => unknown): number {
  const elapsed = startCpuClock();
  work();
  return elapsed();
}
