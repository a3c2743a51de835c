/**
 * Maximum nesting of JSON from outside: the database supports a thousand levels, including those of enclosing
 * documents.
 */
export const maxJsonDepth = 500;

export interface JsonSize {
  /** At least as many as there are; each empty container counts twice. */
  values: number;
  isTooDeep: boolean;
}

/**
 * Counts the values of JSON before it is parsed: many small ones take a hundred times their length in memory, and every
 * later step goes through all of them. Ends at the first excess. Only brackets and commas are examined, so the text need
 * not be valid JSON.
 */
export function measureJson(json: string, maxValues = Infinity): JsonSize {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x22) at = endOfText(json, at);
    else if (code === 0x5b || code === 0x7b) {
      values++;
      if (++depth > maxJsonDepth) return { values, isTooDeep: true };
    } else if (code === 0x5d || code === 0x7d) depth--;
    else if (code === 0x2c) values++;
    if (values > maxValues) break;
  }
  return { values, isTooDeep: false };
}

/**
 * Whether arrays and objects are nested deeper than `maxJsonDepth`. Deeper values overflow the stack when they are
 * serialized, or take seconds.
 */
export function isTooDeep(json: string): boolean {
  return measureJson(json).isTooDeep;
}

/** Where the text ends that begins here. Texts may be megabytes: they are not gone through letter by letter. */
export function endOfText(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json[at - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return json.length;
}
