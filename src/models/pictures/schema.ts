/** Pictures that models are given as such; others are files like any other. */
export const pictureType = /^image\/(?:png|jpe?g|gif|webp)$/iu;

/** What lists say, each field of it open: providers write what they like. */
interface Listed {
  /** OpenRouter's `input_modalities`. */
  architecture?: { input_modalities?: unknown } | null;
  /** A list of words at local runtimes, an object of switches at Mistral. */
  capabilities?: unknown;
}

/**
 * Whether a provider's list says that a model is given pictures; undefined where it says nothing. In plain code: the chat page
 * loads it, which no library for shapes should make heavier.
 */
export function listedVision(listed: unknown): boolean | undefined {
  if (typeof listed !== "object" || listed === null) return undefined;
  const { architecture, capabilities } = listed as Listed;
  const takes = architecture?.input_modalities;
  if (Array.isArray(takes)) return takes.includes("image");
  if (Array.isArray(capabilities)) return capabilities.includes("vision");
  const vision = (capabilities as { vision?: unknown } | null | undefined)?.vision;
  return typeof vision === "boolean" ? vision : undefined;
}
