import { actionsFor, boundIds, toggleFiltersFor, type FunctionIndex } from "../../plugins/function-index.ts";
import type { PluginEntry } from "../../plugins/plugin-index.ts";
import { metaView } from "../stored-models/stored-model.ts";
import { contextLengthOf } from "./context-length.ts";
import type { CatalogModel } from "./merge-models.ts";
import type { ModelEntry } from "./schema.ts";

/**
 * A model as in lists: without parameters and grants, and with only the address of its picture.
 * @param functions those that may run now
 */
export function modelEntry(model: CatalogModel, functions: FunctionIndex): ModelEntry {
  const { stored, raw, kind } = model;
  const { pipe } = model.connection;
  const metas = [stored, model.base?.stored].flatMap((each) => (each ? [each.meta] : []));
  const contextLength = contextLengthOf({ metas, params: stored?.params ?? {}, raw: raw ?? model.base?.raw });
  return {
    id: model.id,
    name: model.name,
    object: "model",
    created: model.created,
    owned_by: model.ownedBy,
    connection_type: kind === "openai" || kind === "anthropic" ? "external" : "local",
    ...(raw && kind === "openai" ? { openai: raw } : {}),
    ...(raw && kind === "anthropic" ? { anthropic: raw } : {}),
    ...(raw && kind === "local" ? { ollama: raw } : {}),
    ...(contextLength === undefined ? {} : { context_length: contextLength }),
    ...(stored
      ? {
          info: {
            id: stored.id,
            user_id: stored.userId,
            base_model_id: stored.baseModelId,
            name: stored.name,
            meta: metaView(stored),
            is_active: stored.isActive,
            created_at: stored.createdAt,
            updated_at: stored.updatedAt,
          },
        }
      : {}),
    ...(model.connection.ownerId !== undefined ? { direct: true as const } : {}),
    ...(model.base ? { preset: true as const } : {}),
    ...(kind === "function" ? { pipe: { type: "pipe" as const } } : {}),
    tags: model.tags.map((name) => ({ name })),
    ...(pipe?.info.userValvesSchema ? { has_user_valves: true as const } : {}),
    actions: actionsFor(functions, metas).flatMap(buttonsOf),
    filters: toggleFiltersFor(functions, metas).map((filter) => switchOf(filter, metas)),
  };
}

/** An action's buttons: one, or one for each that it declares. */
function buttonsOf(action: PluginEntry): ModelEntry["actions"] {
  const { id, name } = action;
  const { description, icon } = shownOf(action);
  if (action.info.actions.length === 0) return [{ id, name, description, icon }];
  return action.info.actions.map((sub) => ({
    id: `${id}.${sub.id}`,
    name: sub.name || `${name} (${sub.id})`,
    description,
    icon: sub.icon ?? icon,
  }));
}

function switchOf(filter: PluginEntry, metas: readonly Record<string, unknown>[]): ModelEntry["filters"][number] {
  return {
    id: filter.id,
    name: filter.name,
    ...shownOf(filter),
    default: boundIds(metas, "defaultFilterIds").has(filter.id),
    has_user_valves: filter.info.userValvesSchema !== null,
  };
}

function shownOf({ meta, info }: PluginEntry): { description: string; icon: string | null } {
  const { description } = meta;
  return {
    description: typeof description === "string" ? description : (info.manifest["description"] ?? ""),
    icon: info.icon ?? info.manifest["icon_url"] ?? null,
  };
}
