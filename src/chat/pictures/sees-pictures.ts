import type { Context } from "../../context.ts";
import { isRecord } from "../../lib/json.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import { knownList } from "../../models/catalog/look-up-list.ts";
import { listedVision } from "../../models/pictures/schema.ts";

/**
 * Whether a model is given pictures as such: what an administrator has said of it or of the one below it, else what its provider
 * lists. Where neither says anything it is tried.
 */
export function seesPictures(ctx: Context, model: ResolvedModel): boolean {
  for (const { capabilities } of model.metas) {
    if (isRecord(capabilities) && typeof capabilities["vision"] === "boolean") return capabilities["vision"];
  }
  const listed = knownList(ctx, model.connection)?.list?.models.find(({ id }) => id === model.upstreamId);
  return listedVision(listed?.raw) ?? true;
}
