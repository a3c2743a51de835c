import { listedVision, pictureType } from "../../../models/pictures/schema.ts";
import type { Model } from "./models.svelte.ts";

/** Pictures that browsers show and models are given; others are files like any other. */
export const isPicture = (contentType: string): boolean => pictureType.test(contentType);

/**
 * Whether a model is given pictures as such: what an administrator has said of it, or of the one that it stands on, else what the
 * provider lists. Undefined where nobody says anything: then it is tried.
 */
export function seesPictures(model: Model, base?: Model): boolean | undefined {
  return said(model) ?? said(base) ?? provided(model) ?? provided(base);
}

function said(model: Model | undefined): boolean | undefined {
  return model?.info?.meta?.capabilities?.vision ?? undefined;
}

function provided(model: Model | undefined): boolean | undefined {
  return listedVision(model?.openai) ?? listedVision(model?.ollama);
}
