import type { Context } from "../../context.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import { knownList } from "../../models/catalog/look-up-list.ts";
import { seesPictures as knownToSee } from "../../shared/vision.ts";

/** Whether a model is given pictures as such. Where neither an administrator nor the provider says anything, it is tried. */
export function seesPictures(ctx: Context, model: ResolvedModel): boolean {
  const listed = knownList(ctx, model.connection)?.list?.models.find(({ id }) => id === model.upstreamId);
  return (
    knownToSee(
      model.metas.map(({ capabilities }) => capabilities),
      [listed?.raw],
    ) ?? true
  );
}
