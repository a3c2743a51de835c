import { hasPermission, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { isRecord } from "../../lib/json.ts";
import { contextLengthOf } from "../../models/catalog/context-length.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";

/** How long conversations with a model are shortened. */
export interface Compaction {
  /** Tokens of the model's context; undefined: only its provider knows. */
  contextLength: number | undefined;
  /** Tokens from which on a conversation is shortened; undefined where the length is not known. */
  threshold: number | undefined;
}

/**
 * The model's own `meta.compaction` (`enabled`, `share` in percent) before the settings; undefined where it is off, and for
 * callers without the permission.
 */
export function compactionOf(ctx: Context, model: ResolvedModel): Compaction | undefined {
  if (!hasPermission(requireUser(ctx), "features.context_compaction")) return undefined;
  const own = model.metas.map((meta) => meta["compaction"]).filter(isRecord);
  const isOn = own.map(({ enabled }) => enabled).find((enabled) => typeof enabled === "boolean");
  if (!(isOn ?? ctx.settings.ENABLE_CONTEXT_COMPACTION)) return undefined;
  const share = own.map((each) => each["share"]).find((each) => typeof each === "number" && each >= 10 && each <= 95);
  const percent = typeof share === "number" ? share : ctx.settings.CONTEXT_COMPACTION_SHARE;
  const contextLength = contextLengthOf(model);
  return {
    contextLength,
    threshold: contextLength === undefined ? undefined : Math.floor((contextLength * percent) / 100),
  };
}
