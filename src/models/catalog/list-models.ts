import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { functionsInUse } from "../../plugins/function-index.ts";
import type { Connection } from "../connections/connection.ts";
import { loadDirectConnections } from "../direct-connections/load-direct.ts";
import { isHidden } from "../stored-models/stored-model.ts";
import { loadSnapshot, type Snapshot } from "./catalog-snapshot.ts";
import { catalogState } from "./catalog-state.ts";
import { isReachable, mergeModels, modelsOf, providedModel, type CatalogModel } from "./merge-models.ts";
import { modelEntry } from "./model-entry.ts";
import { sourcesFor } from "./pipe-connection.ts";
import { providerLists, type ListOptions, type ProviderLists } from "./provider-lists.ts";
import type { ModelEntry } from "./schema.ts";
import { mayUse } from "./visibility.ts";

export interface ModelListing {
  models: ModelEntry[];
  /** Names of connections whose models are missing. */
  unreachable: string[];
}

export interface ModelListOptions extends ListOptions {
  /** With the models of the caller's own connections, last: only for answers to the caller, never for code of others. */
  direct?: boolean;
}

/**
 * The models that the caller may choose from. At most one round trip, and one for the caller's own connections where they
 * may have any; providers are asked in parallel, each within its time budget.
 */
export async function listModels(
  ctx: Context,
  { direct = false, ...options }: ModelListOptions = {},
): Promise<ModelListing> {
  const viewer = requireUser(ctx);
  const [{ snapshot, models, unreachable }, own] = await Promise.all([
    catalog(ctx, options),
    direct ? ownModels(ctx, options) : noModels,
  ]);
  const rules = { snapshot, settings: ctx.settings, viewer };
  const functions = functionsInUse(ctx.settings, snapshot.functions);
  const ownIds = new Set(own.models.map((model) => model.id));
  const seen = models.filter((model) => !ownIds.has(model.id) && !isHidden(model.stored) && mayUse(rules, model.id));
  return {
    models: [...seen, ...own.models].map((model) => modelEntry(model, functions)),
    unreachable: [...unreachable, ...own.unreachable],
  };
}

type OwnModels = { models: CatalogModel[]; unreachable: string[] };
const noModels: OwnModels = { models: [], unreachable: [] };

/** Models of the caller's own connections: nothing that is stored of models applies to them. */
async function ownModels(ctx: Context, options: ListOptions): Promise<OwnModels> {
  const connections = await loadDirectConnections(ctx);
  if (connections.length === 0) return noModels;
  const { states } = await providerLists(ctx, connections, options);
  const models = new Map<string, CatalogModel>();
  for (const connection of connections)
    for (const model of modelsOf(connection, states.get(connection.id))) {
      const provided = providedModel({ stored: new Map() }, connection, connection.kind, model);
      if (!models.has(provided.id)) models.set(provided.id, provided);
    }
  return { models: [...models.values()], unreachable: unreachableOf(connections, states) };
}

function unreachableOf(connections: readonly Connection[], states: ProviderLists["states"]): string[] {
  const missing = connections.filter((connection) => {
    const state = states.get(connection.id);
    return !state || !isReachable(connection, state);
  });
  return missing.map((connection) => connection.name);
}

/**
 * All providers' models for administrators, including hidden ones and those that are switched off.
 * @throws AppError `forbidden`.
 */
export async function listProvidedModels(ctx: Context, options: ListOptions = {}): Promise<ModelListing> {
  const { snapshot, models, unreachable } = await catalog(ctx, options);
  const functions = functionsInUse(ctx.settings, snapshot.functions);
  const provided = models.filter((model) => !model.base);
  return { models: provided.map((model) => modelEntry(model, functions)), unreachable };
}

async function catalog(
  ctx: Context,
  options: ListOptions,
): Promise<{ snapshot: Snapshot; models: CatalogModel[]; unreachable: string[] }> {
  const snapshot = await loadSnapshot(ctx);
  const connections = sourcesFor(ctx.settings, snapshot, requireUser(ctx));
  const { states, late } = await providerLists(ctx, connections, options);
  for (const id of late) states.set(id, undefined);
  return {
    snapshot,
    models: merged(ctx, snapshot, connections, states),
    unreachable: unreachableOf(connections, states),
  };
}

/** Maximum number of cached merged lists, one for each set of connections. */
const maxMerged = 20;

/**
 * Merged once for the same rows, connections and lists, because a provider may have thousands of models. People of all
 * organizations without their own connections share one list.
 */
function merged(
  ctx: Context,
  snapshot: Snapshot,
  connections: Connection[],
  states: ProviderLists["states"],
): CatalogModel[] {
  const kept = catalogState(ctx).merged;
  const selection = connections.map((connection) => connection.id).join(" ");
  const key = [snapshot.stamp, ...[...states].map(([id, list]) => `${id}=${list?.version ?? ""}`)].join(" ");
  const known = kept.get(selection);
  if (known?.key === key) return known.models;
  const models = mergeModels(snapshot, connections, states);
  kept.delete(selection);
  kept.set(selection, { key, models });
  const [oldest] = kept.keys();
  if (kept.size > maxMerged && oldest !== undefined) kept.delete(oldest);
  return models;
}
