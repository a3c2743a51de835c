import type { Environment } from "../../context.ts";
import type { FailureReason } from "../connections/schema.ts";
import type { ProviderList, ProviderModel } from "../drivers/driver.ts";
import type { CatalogModel } from "./merge-models.ts";
import type { Snapshot } from "./snapshot.ts";

/** What is known of one connection's models: plain data that any later request may use. */
export interface ListState {
  /** Of address and secrets: a changed connection is another one. */
  fingerprint: string;
  /** The last list that came; also kept while the provider is down, so that its model ids still mean something. */
  list: ProviderList | undefined;
  byId: Map<string, ProviderModel>;
  /** Why the last look failed; undefined when it did not. */
  failure: { reason: FailureReason; message: string } | undefined;
  /** Epoch seconds of the last look, and how long it took. */
  checkedAt: number;
  latencyMs: number;
  /** Different for each look. */
  version: number;
}

/** What one isolate remembers between requests. Never promises, streams or clients: those hang in another request. */
export interface IsolateState {
  snapshot: Snapshot | undefined;
  lists: Map<string, ListState>;
  /** Looks under way, by connection id, with the second they began: one look at a time is enough. */
  looking: Map<string, number>;
  /** What `connection_checks` holds, as far as this isolate knows. */
  noted: Map<string, { ok: boolean; at: number }>;
  /** Counts looks. */
  version: number;
  /** By the ids of the connections, in their order; the one made last is the last. */
  merged: Map<string, { key: string; models: CatalogModel[] }>;
}

/** By environment: one for each isolate, and one for each of several services in one process. */
const states = new WeakMap<Environment, IsolateState>();

export function isolateState(ctx: { environment: Environment }): IsolateState {
  let state = states.get(ctx.environment);
  if (!state)
    states.set(
      ctx.environment,
      (state = {
        snapshot: undefined,
        lists: new Map(),
        looking: new Map(),
        noted: new Map(),
        version: 0,
        merged: new Map(),
      }),
    );
  return state;
}
