/** Types of pictures that models receive; others are treated like any other file. */
export const pictureType = /^image\/(?:png|jpe?g|gif|webp)$/iu;

/**
 * Whether a provider's list says that a model accepts pictures; undefined if it does not say. OpenRouter lists
 * `architecture.input_modalities`, Mistral `capabilities.vision`, local runtimes a list of `capabilities`.
 */
function listedVision(listed: unknown): boolean | undefined {
  const { architecture, capabilities } = (listed ?? {}) as { architecture?: unknown; capabilities?: unknown };
  const { input_modalities: takes } = (architecture ?? {}) as { input_modalities?: unknown };
  if (Array.isArray(takes)) return takes.includes("image");
  if (Array.isArray(capabilities)) return capabilities.includes("vision");
  const { vision } = (capabilities ?? {}) as { vision?: unknown };
  return typeof vision === "boolean" ? vision : undefined;
}

/**
 * Whether a model is given pictures as such: what an administrator has said, of the model or of one below it, else what
 * providers list. Undefined where nobody says anything.
 * @param said `capabilities` of the model and of those below it, the nearest first
 * @param listed entries of providers' lists, in the same order
 */
export function seesPictures(said: readonly unknown[], listed: readonly unknown[]): boolean | undefined {
  for (const capabilities of said) {
    const { vision } = (capabilities ?? {}) as { vision?: unknown };
    if (typeof vision === "boolean") return vision;
  }
  for (const entry of listed) {
    const vision = listedVision(entry);
    if (vision !== undefined) return vision;
  }
  return undefined;
}
