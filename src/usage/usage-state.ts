import type { Environment } from "../context.ts";
import type { QuotaRow } from "./quotas/applicable-limits.ts";
import type { usageRecords } from "./tables.ts";

/** A row of the ledger. */
export type UseRecord = Required<typeof usageRecords.$inferSelect>;

/** What one isolate remembers between requests. Never promises, streams or clients: those hang in another request. */
export interface UsageState {
  /** Not written yet, oldest first. */
  waiting: UseRecord[];
  /** Being written by some request, which may be put away before it is done; `since` in epoch milliseconds. */
  writing: Set<{ since: number; records: readonly UseRecord[] }>;
  /** When the next writing begins, epoch milliseconds. */
  flushAt: number;
  /** All quotas, as of one stamp. */
  quotas: { stamp: number; rows: readonly QuotaRow[] } | undefined;
}

/** By environment: one for each isolate, and one for each of several services in one process. */
const states = new WeakMap<Environment, UsageState>();

export function usageState(ctx: { environment: Environment }): UsageState {
  let state = states.get(ctx.environment);
  if (!state) states.set(ctx.environment, (state = { waiting: [], writing: new Set(), flushAt: 0, quotas: undefined }));
  return state;
}
