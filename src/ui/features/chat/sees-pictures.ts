import { pictureType, seesPictures as knownToSee } from "../../../shared/vision.ts";
import type { Model } from "./models.svelte.ts";

/** Pictures that browsers show and models are given; others are files like any other. */
export const isPicture = (contentType: string): boolean => pictureType.test(contentType);

/** Whether a model is given pictures as such. Undefined where nobody says anything: then it is tried. */
export function seesPictures(model: Model, base?: Model): boolean | undefined {
  const said = [model, base].map((one) => one?.info?.meta?.capabilities);
  return knownToSee(said, [model.openai, model.ollama, base?.openai, base?.ollama]);
}
