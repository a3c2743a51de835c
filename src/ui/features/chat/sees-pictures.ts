import { isRecord } from "../../lib/live/live-state.ts";
import type { Model } from "./models.svelte.ts";

/** Pictures that browsers show and models are given; others are files like any other. */
export const isPicture = (contentType: string): boolean => /^image\/(?:png|jpe?g|gif|webp)$/iu.test(contentType);

/**
 * Whether a model is given pictures as such: what an administrator has said of it, else what its provider lists. Undefined where
 * neither says anything: then it is tried.
 */
export function seesPictures(model: Model): boolean | undefined {
  const said = model.info?.meta?.capabilities?.vision;
  return typeof said === "boolean" ? said : (listed(model.openai) ?? listed(model.ollama));
}

/** OpenRouter lists `architecture.input_modalities`, Mistral `capabilities.vision`, local runtimes a list of `capabilities`. */
function listed(entry: unknown): boolean | undefined {
  if (!isRecord(entry)) return undefined;
  const { architecture, capabilities } = entry;
  const takes = isRecord(architecture) ? architecture["input_modalities"] : undefined;
  if (Array.isArray(takes)) return takes.includes("image");
  if (Array.isArray(capabilities)) return capabilities.includes("vision");
  return isRecord(capabilities) && typeof capabilities["vision"] === "boolean" ? capabilities["vision"] : undefined;
}
