import type { Context } from "../context.ts";
import { findModel, type ResolvedModel } from "../models/catalog/find-model.ts";

/**
 * The model for background tasks of a chat: TASK_MODEL, or the chat's own. Undefined if that is part of the service and
 * cannot do it.
 * @param modelId of the chat
 * @throws AppError `model_not_found`
 */
export async function modelForTasks(ctx: Context, modelId: string): Promise<ResolvedModel | undefined> {
  const wanted = ctx.settings.TASK_MODEL;
  const model = wanted
    ? await findModel(ctx, wanted, { asService: true }).catch(() => findModel(ctx, modelId, { direct: true }))
    : await findModel(ctx, modelId, { direct: true });
  return model.kind === "function" && !model.pipe ? undefined : model;
}
