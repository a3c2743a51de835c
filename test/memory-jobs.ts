import type { JobKind } from "../src/jobs/tables.ts";
import type { JobQueue } from "../src/ports.ts";

/** Keeps what was said, at once and for later; tests run the jobs themselves. */
export function createMemoryJobs(): JobQueue & { woken: JobKind[]; later: JobKind[] } {
  const woken: JobKind[] = [];
  const later: JobKind[] = [];
  return {
    woken,
    later,
    async wake(kind, delay = 0) {
      (delay > 0 ? later : woken).push(kind);
    },
  };
}
