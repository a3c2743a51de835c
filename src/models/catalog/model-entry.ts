import { metaView } from "../stored-models/stored-model.ts";
import type { CatalogModel } from "./merge-models.ts";
import type { ModelEntry } from "./schema.ts";

/** A model as lists have it: no parameters, no grants, no picture but its address. */
export function modelEntry(model: CatalogModel): ModelEntry {
  const { stored, raw, kind } = model;
  return {
    id: model.id,
    name: model.name,
    object: "model",
    created: model.created,
    owned_by: model.ownedBy,
    connection_type: kind === "openai" ? "external" : "local",
    ...(raw && kind === "openai" ? { openai: raw } : {}),
    ...(raw && kind === "local" ? { ollama: raw } : {}),
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
    ...(model.base ? { preset: true as const } : {}),
    ...(kind === "function" ? { pipe: { type: "pipe" as const } } : {}),
    tags: model.tags.map((name) => ({ name })),
    actions: [],
    filters: [],
  };
}
