import type { Environment } from "../../context.ts";
import type { FailureReason } from "../connections/schema.ts";
import type { ProviderList, ProviderModel } from "../drivers/driver.ts";
import type { Snapshot } from "./catalog-snapshot.ts";
import type { CatalogModel } from "./merge-models.ts";

/** What is known of one connection's models: plain data that any later request may use. */
export interface ListState {
  /** Of address and secrets: it changes with the connection. */
  fingerprint: string;
  /** The last list received; kept while the provider is down, so that its model ids are still known. */
  list: ProviderList | undefined;
  byId: Map<string, ProviderModel>;
  /** Why the last check failed; undefined if it succeeded. */
  failure: { reason: FailureReason; message: string } | undefined;
  /** Epoch seconds of the last check, and its duration. */
  checkedAt: number;
  latencyMs: number;
  /** Different for each check. */
  version: number;
}

/** What one isolate remembers between requests. Never promises, streams or clients: those belong to one request. */
export interface CatalogState {
  snapshot: Snapshot | undefined;
  lists: Map<string, ListState>;
  /** The same for people's own connections, the most recently asked last: see `keepOwnList`. */
  ownLists: Map<string, ListState>;
  /** Running checks by connection id, with their start in seconds: one at a time is enough. */
  looking: Map<string, number>;
  /** The content of `connection_checks`, as far as this isolate knows. */
  noted: Map<string, { ok: boolean; at: number }>;
  /** Counts checks. */
  version: number;
  /** By the ids of the connections, in order; the most recent entry is last. */
  merged: Map<string, { key: string; models: CatalogModel[] }>;
}

/** By environment: one per isolate, and one for each of several services in one process. */
const states = new WeakMap<Environment, CatalogState>();

export function catalogState(ctx: { environment: Environment }): CatalogState {
  let state = states.get(ctx.environment);
  if (!state)
    states.set(
      ctx.environment,
      (state = {
        snapshot: undefined,
        lists: new Map(),
        ownLists: new Map(),
        looking: new Map(),
        noted: new Map(),
        version: 0,
        merged: new Map(),
      }),
    );
  return state;
}
