/** Types of pictures that models receive; others are treated like any other file. */
export const pictureType = /^image\/(?:png|jpe?g|gif|webp)$/iu;

/**
 * Whether a provider's list says that a model accepts pictures; undefined if it does not say. OpenRouter lists
 * `architecture.input_modalities`, Mistral `capabilities.vision`, local runtimes a list of `capabilities`.
 */
export function listedVision(listed: unknown): boolean | undefined {
  const { architecture, capabilities } = (listed ?? {}) as { architecture?: unknown; capabilities?: unknown };
  const { input_modalities: takes } = (architecture ?? {}) as { input_modalities?: unknown };
  if (Array.isArray(takes)) return takes.includes("image");
  if (Array.isArray(capabilities)) return capabilities.includes("vision");
  const { vision } = (capabilities ?? {}) as { vision?: unknown };
  return typeof vision === "boolean" ? vision : undefined;
}
