import type { Settings } from "../context.ts";
import { isSwitchedOn, type PluginEntry } from "./plugin-index.ts";

/** The functions that take part, in the order in which they run. */
export interface FunctionIndex {
  pipes: readonly PluginEntry[];
  filters: readonly PluginEntry[];
  actions: readonly PluginEntry[];
}

const none: FunctionIndex = { pipes: [], filters: [], actions: [] };

/** All functions whose own switch is on; filters and actions by priority, then id. */
export function indexFunctions(entries: readonly PluginEntry[]): FunctionIndex {
  const active = entries.filter((entry) => entry.family === "function" && entry.isActive);
  if (active.length === 0) return none;
  const ofType = (type: PluginEntry["type"]) => active.filter((entry) => entry.type === type);
  return { pipes: ofType("pipe"), filters: ofType("filter").sort(inOrder), actions: ofType("action").sort(inOrder) };
}

function inOrder(a: PluginEntry, b: PluginEntry): number {
  return a.priority - b.priority || (a.id < b.id ? -1 : 1);
}

/** Those of the index that may run as the settings are now. */
export function functionsInUse(
  settings: Pick<Settings, "ENABLE_PLUGINS" | "SAFE_MODE">,
  index: FunctionIndex,
): FunctionIndex {
  return isSwitchedOn(settings, { family: "function", isActive: true }) ? index : none;
}

/** What is stored of a model and of the one that it stands on: what either names holds, so that nobody sheds a filter by making a model. */
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

/**
 * The filters of one request: global ones and those that the model names; one that people switch on themselves only where the
 * request lists it.
 */
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
