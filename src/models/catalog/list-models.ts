import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { functionsInUse } from "../../plugins/function-index.ts";
import type { Connection } from "../connections/connection.ts";
import { isHidden } from "../stored-models/stored-model.ts";
import { isolateState } from "./catalog-state.ts";
import { isReachable, mergeModels, type CatalogModel } from "./merge-models.ts";
import { modelEntry } from "./model-entry.ts";
import { sourcesFor } from "./pipe-connection.ts";
import { providerLists, type ListOptions, type ProviderLists } from "./provider-lists.ts";
import type { ModelEntry } from "./schema.ts";
import { loadSnapshot, type Snapshot } from "./catalog-snapshot.ts";
import { mayUse } from "./visibility.ts";

export interface ModelListing {
  models: ModelEntry[];
  /** Names of connections whose models are missing. */
  unreachable: string[];
}

/**
 * The models that the caller may choose from. At most one round trip; providers are asked in parallel, each within its
 * time budget.
 */
export async function listModels(ctx: Context, options: ListOptions = {}): Promise<ModelListing> {
  const viewer = requireUser(ctx);
  const { snapshot, models, unreachable } = await catalog(ctx, options);
  const rules = { snapshot, settings: ctx.settings, viewer };
  const functions = functionsInUse(ctx.settings, snapshot.functions);
  const seen = models.filter((model) => !isHidden(model.stored) && mayUse(rules, model.id));
  return { models: seen.map((model) => modelEntry(model, functions)), unreachable };
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

/** The model of new chats: the first of DEFAULT_MODELS that the caller may use, otherwise the first model. */
export async function defaultModelFor(ctx: Context, options: ListOptions = {}): Promise<string | undefined> {
  const { models } = await listModels(ctx, options);
  const ids = new Set(models.map((model) => model.id));
  const wanted = ctx.settings.DEFAULT_MODELS.split(",").map((id) => id.trim());
  return wanted.find((id) => ids.has(id)) ?? models[0]?.id;
}

async function catalog(
  ctx: Context,
  options: ListOptions,
): Promise<{ snapshot: Snapshot; models: CatalogModel[]; unreachable: string[] }> {
  const snapshot = await loadSnapshot(ctx);
  const connections = sourcesFor(ctx.settings, snapshot, requireUser(ctx));
  const { states, late } = await providerLists(ctx, connections, options);
  for (const id of late) states.set(id, undefined);
  const unreachable = connections.filter((connection) => {
    const state = states.get(connection.id);
    return !state || !isReachable(connection, state);
  });
  return {
    snapshot,
    models: merged(ctx, snapshot, connections, states),
    unreachable: unreachable.map((connection) => connection.name),
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
  const kept = isolateState(ctx).merged;
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
