import type { FileStatus } from "./schema.ts";
import type { files } from "./tables.ts";

export type StateRow = Pick<
  typeof files.$inferSelect,
  "state" | "stage" | "progressDone" | "progressTotal" | "progressUnit" | "errorCode" | "error"
>;

/** Where a file stands, as it is told to clients. One that nobody asked to be read is `pending`, with a code that says so. */
export function statusOf(row: StateRow): FileStatus {
  if (row.state === "completed") return { status: "completed", stage: null, progress: null };
  if (row.state === "failed") {
    const { error, errorCode } = row;
    return { status: "failed", stage: null, progress: null, error: error ?? "", code: errorCode ?? "internal_error" };
  }
  if (row.state === "stored") return { status: "pending", stage: null, progress: null, code: "file_not_processed" };
  const { progressDone: done, progressTotal: total, progressUnit: unit } = row;
  return { status: "pending", stage: row.stage ?? "waiting", progress: unit === null ? null : { done, total, unit } };
}

/** Whether nothing will change by itself any more. */
export function isSettled(row: Pick<StateRow, "state">): boolean {
  return row.state !== "pending";
}
