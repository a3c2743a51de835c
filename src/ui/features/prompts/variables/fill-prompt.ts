import { splitPrompt } from "./parse-variables.ts";

/**
 * The prompt with values in the places of its variables. Values are put in as they are: what looks like a variable within them
 * is none. Places without a value stay as they were written.
 */
export function fillPrompt(content: string, values: ReadonlyMap<string, string>): string {
  return splitPrompt(content)
    .map((piece) => (typeof piece === "string" ? piece : (values.get(piece.name) ?? piece.raw)))
    .join("");
}
