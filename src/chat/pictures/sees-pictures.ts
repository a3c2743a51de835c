import type { Context } from "../../context.ts";
import { isRecord } from "../../lib/json.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import { knownList } from "../../models/catalog/look-up-list.ts";
import { listedVision } from "../../models/pictures/schema.ts";

/**
 * Whether a model receives pictures: the administrator's setting of it or of its base model, otherwise what its
 * provider lists. Unknown means yes.
 */
export function seesPictures(ctx: Context, model: ResolvedModel): boolean {
  for (const { capabilities } of model.metas) {
    if (isRecord(capabilities) && typeof capabilities["vision"] === "boolean") return capabilities["vision"];
  }
  const listed = knownList(ctx, model.connection)?.list?.models.find(({ id }) => id === model.upstreamId);
  return listedVision(listed?.raw) ?? true;
}
