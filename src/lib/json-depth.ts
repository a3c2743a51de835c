/**
 * Maximum nesting of JSON from outside: the database supports a thousand levels, including those of enclosing
 * documents.
 */
export const maxJsonDepth = 500;

/** JSON with more than is allowed of something. */
export type JsonExcess = "values" | "depth";

/**
 * Counts the values and levels of JSON while its bytes arrive, before anything is parsed: many small values take a
 * hundred times their length in memory, and every later step goes through all of them. Only quotes, brackets and commas
 * are examined, so the bytes need not be valid JSON.
 */
export class JsonScanner {
  /** At least as many as there are; an empty container counts twice. */
  values = 1;
  #depth = 0;
  #isInText = false;
  /** Whether the bytes so far end with an odd number of backslashes in a text. */
  #isEscaped = false;
  readonly #maxValues: number;
  readonly #maxDepth: number;

  constructor(maxValues: number, maxDepth = maxJsonDepth) {
    this.#maxValues = maxValues;
    this.#maxDepth = maxDepth;
  }

  /** Goes through the next bytes, up to the first excess. */
  scan(bytes: Uint8Array): JsonExcess | undefined {
    for (let at = 0; at < bytes.length; at++) {
      if (this.#isInText) {
        at = this.#endOfText(bytes, at);
        continue;
      }
      const byte = bytes[at];
      if (byte === quote) this.#isInText = true;
      else if (byte === 0x5b || byte === 0x7b) {
        this.values++;
        if (++this.#depth > this.#maxDepth) return "depth";
      } else if (byte === 0x5d || byte === 0x7d) this.#depth--;
      else if (byte === 0x2c) this.values++;
      if (this.values > this.#maxValues) return "values";
    }
    return undefined;
  }

  /** The same for JSON that is a string already, a piece at a time: not all of it is copied. */
  scanText(json: string): JsonExcess | undefined {
    for (let at = 0; at < json.length; at += pieceLength) {
      const excess = this.scan(utf8.encode(json.slice(at, at + pieceLength)));
      if (excess) return excess;
    }
    return undefined;
  }

  /** The place of the quote that ends the text, or the end of the bytes. Texts are not gone through byte by byte. */
  #endOfText(bytes: Uint8Array, start: number): number {
    for (let from = start; ;) {
      const found = bytes.indexOf(quote, from);
      const end = found === -1 ? bytes.length : found;
      let first = end;
      while (first > start && bytes[first - 1] === backslash) first--;
      const isEscaped = ((end - first) % 2 === 1) !== (first === start && this.#isEscaped);
      if (found === -1) {
        this.#isEscaped = isEscaped;
        return end;
      }
      if (!isEscaped) {
        this.#isInText = this.#isEscaped = false;
        return end;
      }
      from = end + 1;
    }
  }
}

const utf8 = new TextEncoder();
/** UTF-16 units. */
const pieceLength = 65_536;
const quote = 0x22;
const backslash = 0x5c;

/**
 * Whether arrays and objects are nested deeper than `maxJsonDepth`. Deeper values overflow the stack when they are
 * serialized, or take seconds.
 */
export function isTooDeep(json: string): boolean {
  return findExcess(json, Infinity) === "depth";
}

/** What JSON has too much of. */
export function findExcess(json: string, maxValues: number): JsonExcess | undefined {
  return new JsonScanner(maxValues).scanText(json);
}

/**
 * Counts the values of JSON, up to just above `max`, without parsing it. Invalid JSON counts as many as a parser would read
 * before the error.
 */
export function countValues(json: string, max: number): number {
  const scanner = new JsonScanner(max, Infinity);
  scanner.scanText(json);
  return scanner.values;
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
