import { type SQL, sql } from "drizzle-orm";
import { droppedBlobs } from "../../blobs/tables.ts";
import type { Context } from "../../context.ts";
import { files } from "../../documents/files/tables.ts";
import { chunkVectors, droppedChunks, embeddingSpaces, fileChunks } from "../../documents/retrieval/tables.ts";
import { sweepJobs } from "../../jobs/sweep-jobs.ts";
import { jobs } from "../../jobs/tables.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { requireOperator } from "../../people/operator/operator-gate.ts";
import { neededObjects, passingObjects } from "./object-keys.ts";

export type Repair = "jobs" | "objects" | "passages" | "vectors";

/** What each does. The same conditions are in scripts/doctor/database-checks.ts, which find what is to be mended. */
const statements: Record<Repair, (nowMs: number, objects: readonly string[]) => SQL> = {
  // Their runners are gone.
  jobs: (
    nowMs,
  ) => sql`UPDATE ${jobs} SET lease = NULL, lease_until = NULL, due_at = ${nowMs} WHERE due_at < ${nowMs - 3_600_000}
    AND (lease_until IS NULL OR lease_until < ${nowMs})`,
  // The timer deletes them then.
  objects: (_nowMs, objects) => sql`INSERT OR IGNORE INTO ${droppedBlobs} (key)
    SELECT value FROM json_each(${JSON.stringify(objects)})
    WHERE value NOT IN (${sql.raw(neededObjects)}) AND value NOT IN (${sql.raw(passingObjects)})`,
  // The timer deletes them then, with what the search has of them.
  passages:
    () => sql`INSERT OR IGNORE INTO ${droppedChunks} (file_id, version) SELECT DISTINCT file_id, version FROM ${fileChunks} c
    WHERE NOT EXISTS (SELECT 1 FROM ${files} f WHERE f.id = c.file_id)`,
  vectors: () => sql`DELETE FROM ${chunkVectors} WHERE space_id NOT IN (SELECT id FROM ${embeddingSpaces})`,
};

/**
 * @param objects keys for `objects`; those that are needed stay
 * @returns how many rows each has changed
 */
export async function repair(
  ctx: Context,
  repairs: readonly Repair[],
  objects: readonly string[],
): Promise<Partial<Record<Repair, number>>> {
  requireOperator(ctx);
  const changed: Partial<Record<Repair, number>> = {};
  for (const name of new Set(repairs)) {
    const [result] = await ctx.db.batch([
      ctx.db.run(statements[name](Date.now(), objects)),
      auditRowIf(ctx, { action: "service.repaired", targetType: "service", targetId: name }),
    ]);
    changed[name] = result.rowsAffected;
  }
  if (repairs.includes("jobs")) await sweepJobs(ctx);
  return changed;
}
