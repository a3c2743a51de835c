import type { Context } from "../../context.ts";
import { mayMakeImages } from "../../images/may-make-images.ts";
import { isRecord } from "../../lib/json.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import { takesServerTools } from "../tools/ask-with-tools.ts";
import { isFeatureAsked, usesToolsForFeatures, type FeatureTurn } from "../web/asked-features.ts";

/**
 * What a turn does with pictures: `before` has one made before the model is asked; `tools` lets the model decide; `refused`
 * tells that it was asked for and is not available.
 */
export type WantedImages = "none" | "before" | "tools" | "refused";

/** Whether a picture is made, known without a round trip: where the request says `features: {image_generation: true}`. */
export function wantedImages(
  ctx: Context,
  model: ResolvedModel,
  body: Record<string, unknown>,
  turn: FeatureTurn,
): WantedImages {
  const { actor } = ctx;
  if (actor.kind !== "user" || !isFeatureAsked(model, body, "image_generation", turn)) return "none";
  const isExcluded = model.metas.some(
    ({ capabilities }) => isRecord(capabilities) && capabilities["image_generation"] === false,
  );
  if (isExcluded || !mayMakeImages(ctx, actor)) return "refused";
  return usesToolsForFeatures(model, body) && takesServerTools(body) ? "tools" : "before";
}
