import type { User } from "../../access.ts";
import type { Settings } from "../../context.ts";
import { functionsInUse } from "../../plugins/function-index.ts";
import type { PluginEntry } from "../../plugins/plugin-index.ts";
import { usualPolicy, usualQuirks } from "../calling/schema.ts";
import type { Connection } from "../connections/connection.ts";
import type { ProviderList, ProviderModel } from "../drivers/driver.ts";
import { connectionsFor } from "./connections-for.ts";
import type { Snapshot } from "./catalog-snapshot.ts";

/** The connection entry for a function that has models. */
export function pipeConnection(pipe: PluginEntry): Connection {
  return {
    id: `function/${pipe.id}`,
    kind: "openai",
    name: pipe.name,
    baseUrl: "",
    key: undefined,
    headers: {},
    organizationId: null,
    prefixId: "",
    modelIds: [],
    tags: [],
    enabled: true,
    quirks: usualQuirks,
    policy: usualPolicy,
    locked: true,
    createdAt: pipe.createdAt,
    updatedAt: pipe.updatedAt,
    pipe,
  };
}

/** Everything with models for this person, in the order in which it is asked: functions, then connections. */
export function sourcesFor(
  settings: Pick<Settings, "ENABLE_PLUGINS" | "SAFE_MODE">,
  snapshot: Pick<Snapshot, "connections" | "functions" | "pipes">,
  viewer: Pick<User, "role" | "organizationId">,
): Connection[] {
  const pipes = pipesInUse(settings, snapshot);
  const connections = connectionsFor(snapshot, viewer);
  return pipes.length === 0 ? connections : [...pipes, ...connections];
}

/** Whether there is any source of models; if not, the built-in guide answers. */
export function hasSources(
  settings: Pick<Settings, "ENABLE_PLUGINS" | "SAFE_MODE">,
  snapshot: Pick<Snapshot, "connections" | "functions" | "pipes">,
): boolean {
  return snapshot.connections.length > 0 || pipesInUse(settings, snapshot).length > 0;
}

function pipesInUse(
  settings: Pick<Settings, "ENABLE_PLUGINS" | "SAFE_MODE">,
  { functions, pipes }: Pick<Snapshot, "functions" | "pipes">,
): readonly Connection[] {
  return pipes.length > 0 && functionsInUse(settings, functions).pipes.length > 0 ? pipes : [];
}

/** The models that a function's source declares: one or a list; undefined if `pipes()` has to be called. */
export function declaredModels(pipe: PluginEntry): ProviderList | undefined {
  const { info } = pipe;
  if (info.pipes) return { models: subModels(pipe, info.pipes), apiRoot: "" };
  return info.hooks.includes("pipes")
    ? undefined
    : { models: [{ id: pipe.id, name: pipe.name, ...common(pipe) }], apiRoot: "" };
}

/** Maximum number of models of one function. */
const maxModels = 1000;

/** A pipe's models: entries without a usable id are left out, and the first of an id wins. */
export function subModels(pipe: PluginEntry, entries: readonly unknown[]): ProviderModel[] {
  const models = new Map<string, ProviderModel>();
  for (const entry of entries) {
    if (models.size === maxModels) break;
    const { id, name } = (typeof entry === "object" && entry !== null ? entry : {}) as { id?: unknown; name?: unknown };
    const sub = typeof id === "number" ? String(id) : id;
    if (typeof sub !== "string" || sub === "" || sub.length > 300 || /[\p{Cc}\p{Cs}]/u.test(sub) || models.has(sub))
      continue;
    const said = typeof name === "string" && name.trim() !== "" ? name : sub;
    models.set(sub, {
      id: `${pipe.id}.${sub}`,
      name: `${pipe.info.namePrefix}${said}`.slice(0, 200),
      ...common(pipe),
    });
  }
  return [...models.values()];
}

function common(pipe: PluginEntry) {
  // The peer's word for models of functions; clients look at `pipe` to tell them.
  return { created: pipe.createdAt, ownedBy: "openai", raw: {} };
}
