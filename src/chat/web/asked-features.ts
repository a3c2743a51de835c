import { isRecord } from "../../lib/json.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import type { TurnPlace } from "../functions/turn-place.ts";

/** A turn as far as it decides about features. */
export interface FeatureTurn {
  place: Pick<TurnPlace, "chatId" | "task">;
}

/**
 * Whether the request switches a feature on. Never for tasks, nor in channels, where others read the answer, nor for the
 * guide, which asks nobody.
 */
export function isFeatureAsked(
  model: ResolvedModel,
  body: Record<string, unknown>,
  feature: string,
  { place }: FeatureTurn,
): boolean {
  const { features } = body;
  if (!isRecord(features) || features[feature] !== true) return false;
  const isElsewhere = place.task !== undefined || place.chatId?.startsWith("channel:") === true;
  return !isElsewhere && !(model.kind === "function" && !model.pipe);
}

/** Whether the model gets tools for features instead of having them used before it: `function_calling`, as in Open WebUI. */
export function usesToolsForFeatures(
  { params: own }: ResolvedModel,
  { params: given }: Record<string, unknown>,
): boolean {
  const said = isRecord(given) ? given["function_calling"] : undefined;
  return (said ?? own["function_calling"]) === "native";
}
