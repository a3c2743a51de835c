import { driverKindOf, withPrefix, type Connection } from "../connections/connection.ts";
import type { ConnectionKind } from "../connections/schema.ts";
import type { DriverKind, ProviderModel } from "../drivers/driver.ts";
import { guideConnection, guideModel } from "../drivers/function-model/driver.ts";
import { tagsOf, type StoredModel } from "../stored-models/stored-model.ts";
import type { ListState } from "./catalog-state.ts";
import type { ProviderLists } from "./provider-lists.ts";
import type { Snapshot } from "./catalog-snapshot.ts";

/** One model of the catalogue, before permissions are applied. */
export interface CatalogModel {
  id: string;
  name: string;
  created: number;
  ownedBy: string;
  kind: DriverKind;
  connection: Connection;
  /** The provider's own id. */
  upstreamId: string;
  /** The provider's entry, trimmed; custom models have none. */
  raw: Record<string, unknown> | undefined;
  tags: string[];
  /** What is stored under this id. */
  stored: StoredModel | undefined;
  /** The base model of a custom model. */
  base: CatalogModel | undefined;
}

/** All models of usable connections, in listed order; the first connection with an id keeps it. */
export function mergeModels(
  snapshot: Snapshot,
  connections: Connection[],
  states: ProviderLists["states"],
): CatalogModel[] {
  const provided = new Map<string, CatalogModel>();
  const add = (model: CatalogModel) => void (provided.has(model.id) || provided.set(model.id, model));
  for (const connection of connections) {
    for (const model of modelsOf(connection, states.get(connection.id)))
      add(providedModel(snapshot, connection, driverKindOf(connection), model));
  }
  // With a connection (or a function) it is gone, so that an empty list means that the providers are unreachable.
  if (snapshot.connections.length === 0 && connections.length === 0)
    add(providedModel(snapshot, guideConnection, "function", guideModel));
  const made: CatalogModel[] = [];
  for (const stored of snapshot.stored.values()) {
    const base = stored.baseModelId === null ? undefined : provided.get(stored.baseModelId);
    if (base) made.push(madeModel(stored, base));
  }
  const taken = new Set(made.map((model) => model.id));
  return [...[...provided.values()].filter((model) => !taken.has(model.id)), ...made];
}

/** A provider's model with the administrators' settings. */
export function providedModel(
  snapshot: Pick<Snapshot, "stored">,
  connection: Connection,
  kind: DriverKind,
  model: ProviderModel,
): CatalogModel {
  const id = withPrefix(connection, model.id);
  const found = snapshot.stored.get(id);
  const stored = found?.baseModelId === null ? found : undefined;
  return {
    id,
    name: stored?.name ?? model.name,
    created: model.created || connection.createdAt,
    ownedBy: model.ownedBy,
    kind,
    connection,
    upstreamId: model.id,
    raw: model.raw,
    tags: [...new Set([...connection.tags, ...(stored ? tagsOf(stored.meta) : [])])],
    stored,
    base: undefined,
  };
}

export function madeModel(stored: StoredModel, base: CatalogModel): CatalogModel {
  return {
    ...base,
    id: stored.id,
    name: stored.name,
    created: stored.createdAt,
    raw: undefined,
    tags: tagsOf(stored.meta),
    stored,
    base,
  };
}

/** A connection's models: none while its last check failed. */
export function modelsOf(connection: Connection, state: ListState | undefined): ProviderModel[] {
  if (!state || !isReachable(connection, state)) return [];
  if (connection.modelIds.length === 0) return state.list?.models ?? [];
  return connection.modelIds.map((id) => state.byId.get(id) ?? namedModel(connection, id));
}

/** A provider without a model list counts as reachable if its models are configured. */
export function isReachable(connection: Connection, state: ListState): boolean {
  if (!state.failure) return true;
  return (
    connection.modelIds.length > 0 &&
    (state.failure.reason === "not_found" || state.failure.reason === "not_a_model_list")
  );
}

/** `owned_by` values by which Open WebUI's clients recognize local models. */
const ownerWords: Record<ConnectionKind, string> = { openai: "openai", local: "ollama", anthropic: "anthropic" };

/** A configured model that the provider does not list. */
export function namedModel(connection: Connection, id: string): ProviderModel {
  return { id, name: id, created: 0, ownedBy: ownerWords[connection.kind], raw: { id } };
}
