import type { Context } from "../../context.ts";
import { isRecord } from "../../lib/json.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import { maySearchWeb } from "../../web/may-search-web.ts";
import { takesServerTools } from "../tools/ask-with-tools.ts";
import { isFeatureAsked, usesToolsForFeatures, type FeatureTurn } from "./asked-features.ts";

/**
 * What a turn does with the web: `before` searches and reads before the model is asked; `tools` lets the model decide;
 * `refused` tells that it was asked for and is not available.
 */
export type WantedWebSearch = "none" | "before" | "tools" | "refused";

/**
 * Whether the web is searched, known without a round trip: where the request asks for it with `features: {web_search:
 * true}`, as Open WebUI's clients do.
 * @param body the request as the person sent it: no filter can ask in their place
 */
export function wantedWebSearch(
  ctx: Context,
  model: ResolvedModel,
  body: Record<string, unknown>,
  turn: FeatureTurn,
): WantedWebSearch {
  const { actor } = ctx;
  if (actor.kind !== "user" || !isFeatureAsked(model, body, "web_search", turn)) return "none";
  if (!maySearchWeb(ctx, actor) || !takesWebSearch(model)) return "refused";
  return usesToolsForFeatures(model, body) && takesServerTools(body) ? "tools" : "before";
}

/** Administrators exclude a model with `meta.capabilities.web_search`, as in Open WebUI. */
function takesWebSearch({ metas }: ResolvedModel): boolean {
  return !metas.some(({ capabilities }) => isRecord(capabilities) && capabilities["web_search"] === false);
}
