/** The switches of a turn in the form of a request. */
export function featuresOf({ features = [] }: { features?: readonly string[] }): { features?: Record<string, true> } {
  return features.length > 0 ? { features: Object.fromEntries(features.map((id) => [id, true])) } : {};
}
