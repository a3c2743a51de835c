import type { MachineFigures } from "../../../src/machine/schema.ts";
import { readUsage } from "../workerd/process-usage.ts";

type Figures = MachineFigures["processes"][number];

/** The processes of one part of the service. */
export interface ProcessGroup {
  part: Figures["part"];
  pids: readonly (number | undefined)[];
  /** Null where it is not counted, because they come and go. */
  restarts: number | null;
  /** Null where nobody watches for it. */
  silences: number | null;
}

/** What the processes use that run now. Processor time only of parts that are one process: sums would go down. */
export function readProcesses(groups: readonly ProcessGroup[]): Promise<Figures[]> {
  return Promise.all(
    groups.map(async ({ part, pids, restarts, silences }) => {
      const read = await Promise.all(pids.map(async (pid) => (pid === undefined ? undefined : readUsage(pid))));
      const usages = read.filter((usage) => usage !== undefined);
      return {
        part,
        count: usages.length,
        memoryBytes: usages.reduce((sum, { rss }) => sum + rss, 0),
        cpuSeconds: restarts === null ? null : (usages[0]?.cpu ?? null),
        restarts,
        silences,
      };
    }),
  );
}
