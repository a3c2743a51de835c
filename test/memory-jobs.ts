import type { JobKind } from "../src/jobs/tables.ts";
import type { JobQueue } from "../src/ports.ts";

/** Keeps what was said; tests run the jobs themselves. */
export function createMemoryJobs(): JobQueue & { woken: JobKind[] } {
  const woken: JobKind[] = [];
  return {
    woken,
    async wake(kind) {
      woken.push(kind);
    },
  };
}
