import { sql, type SQL } from "drizzle-orm";
import type { JobKind } from "./tables.ts";

/**
 * SQL: the turn of a person's next job. It is behind the person's other jobs and behind the turn that was taken last. So
 * somebody with one job waits for one job of each of the others at most, however many they have; and somebody with many
 * does not wait for all who come later.
 */
export function nextTurn(kind: JobKind, userId: string | null): SQL {
  return sql`max(
    coalesce((SELECT max(own.turn) + 1 FROM jobs own WHERE own.kind = ${kind} AND own.user_id IS ${userId}), 0),
    coalesce((SELECT turn + 1 FROM job_turns WHERE kind = ${kind}), 0))`;
}
