import type { Context } from "../../context.ts";
import { isRecord } from "../../lib/json.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import type { TurnPlace } from "../functions/turn-place.ts";
import { takesServerTools } from "../tools/ask-with-tools.ts";
import { mayModelsRunCode } from "./execute-code.ts";

/**
 * Whether the model may run code in this turn: the request asks for it with `features: {code_interpreter: true}`, as Open WebUI's
 * clients do, and the person may. Not in channels, where others read the answer. Administrators exclude a model with
 * `meta.capabilities.code_interpreter`.
 * @param body the request as the person sent it: no filter can ask in their place
 */
export function wantsCode(
  ctx: Context,
  model: ResolvedModel,
  body: Record<string, unknown>,
  { place }: { place: Pick<TurnPlace, "chatId" | "task"> },
): boolean {
  const { features } = body;
  if (!isRecord(features) || features["code_interpreter"] !== true) return false;
  const { actor } = ctx;
  if (actor.kind !== "user" || !mayModelsRunCode(ctx, actor)) return false;
  if (place.task !== undefined || place.chatId?.startsWith("channel:") === true) return false;
  // The guide answers while no model is connected, and asks nobody.
  if (model.kind === "function" && !model.pipe) return false;
  const isExcluded = model.metas.some(
    ({ capabilities }) => isRecord(capabilities) && capabilities["code_interpreter"] === false,
  );
  return !isExcluded && takesServerTools(body) && !(Number(body["n"]) > 1);
}
