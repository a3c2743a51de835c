import { answersChats } from "../../../shared/answers-chats.ts";
import type { Model } from "./models.svelte.ts";

/** A part of the list that people choose from. */
export interface ModelGroup {
  kind: "pinned" | "own" | "assistants" | "others";
  models: Model[];
}

/** Those that can answer in a chat. */
export function chatModels(all: readonly Model[]): Model[] {
  const byId = new Map(all.map((model) => [model.id, model]));
  return all.filter((model) => {
    if (model.pipe) return true;
    const base = byId.get(model.info?.base_model_id ?? "");
    return answersChats(
      [model, base].map((each) => each?.info?.meta?.capabilities),
      [model.openai, model.ollama, base?.openai, base?.ollama],
      model.info?.base_model_id ?? model.id,
    );
  });
}

/**
 * What a person pinned, in their order; their own assistants; those of others; all other models.
 * @param all those that can be chosen
 */
export function groupModels(
  all: readonly Model[],
  pinned: readonly string[],
  personId: string | undefined,
): ModelGroup[] {
  const kindOf = (model: Model): ModelGroup["kind"] => {
    if (pinned.includes(model.id)) return "pinned";
    if (!model.preset) return "others";
    return model.info?.user_id === personId ? "own" : "assistants";
  };
  const kinds: ModelGroup["kind"][] = ["pinned", "own", "assistants", "others"];
  const groups = kinds.map((kind) => ({ kind, models: all.filter((model) => kindOf(model) === kind) }));
  groups[0]!.models.sort((one, other) => pinned.indexOf(one.id) - pinned.indexOf(other.id));
  return groups.filter(({ models }) => models.length > 0);
}
