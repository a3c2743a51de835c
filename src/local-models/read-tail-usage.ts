import { endOfText } from "../lib/json-depth.ts";
import { tryParseJson } from "../lib/json.ts";
import { readUsage, type TokenUsage } from "../usage/read-usage.ts";

/**
 * Token counts are at the end of a runtime's answer: in the last line of a stream, the last events, the last fields. A
 * long `context` may precede them, so this size covers it.
 */
export const tailSize = 16_384;

/** Within a text of the model these would stand with escaped quotes, which the last of them is not. */
const evaluated = /"(prompt_eval_count|eval_count)"\s*:\s*(\d{1,12})/g;
const usage = /"usage"\s*:\s*\{/g;

/**
 * Token counts from the end of an answer: those of a runtime's own API, or the last `usage`.
 * @param tail the last characters of the answer
 */
export function readTailUsage(tail: string): TokenUsage | undefined {
  const said = [...tail.matchAll(usage)].at(-1);
  if (said) {
    const start = said.index + said[0].length - 1;
    const found = readUsage(tryParseJson(tail.slice(start, endOfObject(tail, start))));
    if (found) return found;
  }
  const counts = Object.fromEntries([...tail.matchAll(evaluated)].map(([, name, value]) => [name!, Number(value)]));
  return readUsage(counts);
}

/** Behind the bracket that closes the one at `start`. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = endOfText(text, at);
    else if (sign === "{") depth++;
    else if (sign === "}" && --depth === 0) return at + 1;
  }
  return text.length;
}
