import type { Format } from "./document.ts";

/**
 * Who reads which type; types as `sniffType` names them. A format is loaded when the first document of its kind comes: what
 * others need is not even evaluated.
 */
const formats: { types: readonly string[]; load: () => Promise<Format> }[] = [
  {
    types: ["text/plain", "text/markdown"],
    load: async () => (await import("./formats/text.ts")).textFormat,
  },
];

/** Undefined where nobody here reads this type. */
export async function findFormat(contentType: string): Promise<Format | undefined> {
  const found = formats.find(({ types }) => types.includes(contentType));
  return found?.load();
}
