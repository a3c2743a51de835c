import type { Settings } from "../context.ts";
import { isSwitchedOn, type PluginEntry } from "./plugin-index.ts";

/** Active functions, in the order in which they run. */
export interface FunctionIndex {
  pipes: readonly PluginEntry[];
  filters: readonly PluginEntry[];
  actions: readonly PluginEntry[];
}

const none: FunctionIndex = { pipes: [], filters: [], actions: [] };

/** All functions that are switched on; filters and actions by priority, then id. */
export function indexFunctions(entries: readonly PluginEntry[]): FunctionIndex {
  const active = entries.filter((entry) => entry.family === "function" && entry.isActive);
  if (active.length === 0) return none;
  const ofType = (type: PluginEntry["type"]) => active.filter((entry) => entry.type === type);
  return { pipes: ofType("pipe"), filters: ofType("filter").sort(inOrder), actions: ofType("action").sort(inOrder) };
}

function inOrder(a: PluginEntry, b: PluginEntry): number {
  return a.priority - b.priority || (a.id < b.id ? -1 : 1);
}

/** Functions of the index that may run under the current settings. */
export function functionsInUse(
  settings: Pick<Settings, "ENABLE_PLUGINS" | "SAFE_MODE">,
  index: FunctionIndex,
): FunctionIndex {
  return isSwitchedOn(settings, { family: "function", isActive: true, isOff: false }) ? index : none;
}

/** Metadata of a model and of its base model: both apply, so that creating a model does not remove a filter. */
export type ModelMetas = readonly Record<string, unknown>[];

/** The ids under a key of the model's `meta` (`filterIds`, `actionIds`, `toolIds`). */
export function boundIds(metas: ModelMetas, key: string): Set<string> {
  const ids = new Set<string>();
  for (const meta of metas) {
    const named = meta[key];
    if (Array.isArray(named)) for (const id of named) if (typeof id === "string") ids.add(id);
  }
  return ids;
}

function applying(entries: readonly PluginEntry[], metas: ModelMetas, key: string): readonly PluginEntry[] {
  if (entries.length === 0) return entries;
  const bound = boundIds(metas, key);
  return entries.filter((entry) => entry.isGlobal || bound.has(entry.id));
}

/** The filters of one request: global ones and those of the model; optional ones only if the request lists them. */
export function filtersFor(
  index: FunctionIndex,
  metas: ModelMetas,
  switchedOn: readonly string[],
): readonly PluginEntry[] {
  const found = applying(index.filters, metas, "filterIds");
  return found.some(({ info }) => info.toggle)
    ? found.filter(({ id, info }) => !info.toggle || switchedOn.includes(id))
    : found;
}

/** The filters that people may switch on in a chat with the model. */
export function toggleFiltersFor(index: FunctionIndex, metas: ModelMetas): readonly PluginEntry[] {
  return applying(index.filters, metas, "filterIds").filter(({ info }) => info.toggle);
}

export function actionsFor(index: FunctionIndex, metas: ModelMetas): readonly PluginEntry[] {
  return applying(index.actions, metas, "actionIds");
}
