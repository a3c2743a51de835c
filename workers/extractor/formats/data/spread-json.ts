const maxDepth = 40;
/** Blanks that are never too many, and how many more there may be for each character that was read. */
const freeSpaces = 100_000;
const maxGrowth = 4;

/**
 * Puts JSON on lines of its own, as it comes: a value of an object or an array on each, indented by its depth. What is no JSON
 * comes through as it is. Characters are looked at once, and nothing but the depth is kept.
 */
export class JsonSpreader {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** After an opening bracket, until something else comes: empty ones stay as they are. */
  #isOpened = false;
  #read = 0;
  #added = 0;

  push(text: string): string {
    const out: string[] = [];
    let from = 0;
    const flush = (to: number) => {
      if (to > from) out.push(text.slice(from, to));
    };
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (unit === backslash) this.#isEscaped = true;
        else if (unit === quote) this.#isInString = false;
        continue;
      }
      if (isBlank(unit)) {
        // Blanks between values are made anew.
        flush(at);
        from = at + 1;
        continue;
      }
      const isClosing = unit === closeBracket || unit === closeBrace;
      if (this.#isOpened && !isClosing) {
        flush(at);
        from = at;
        out.push(this.#newLine(at));
      }
      if (isClosing) {
        flush(at);
        from = at;
        this.#depth = Math.max(0, this.#depth - 1);
        if (!this.#isOpened) out.push(this.#newLine(at));
      }
      this.#isOpened = false;
      if (unit === quote) this.#isInString = true;
      else if (unit === openBracket || unit === openBrace) {
        this.#depth++;
        this.#isOpened = true;
      } else if (unit === comma || unit === colon) {
        flush(at + 1);
        from = at + 1;
        out.push(unit === colon ? " " : this.#newLine(at));
      }
    }
    flush(text.length);
    this.#read += text.length;
    return out.join("");
  }

  /** @param at how much of this piece has been read */
  #newLine(at: number): string {
    // Brackets alone, one within the other, would become forty times as long.
    const isTooMuch = this.#added > freeSpaces + maxGrowth * (this.#read + at);
    const indent = "  ".repeat(isTooMuch ? 0 : Math.min(this.#depth, maxDepth));
    this.#added += indent.length;
    return `\n${indent}`;
  }
}

const [quote, backslash, comma, colon] = [34, 92, 44, 58];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];

function isBlank(unit: number): boolean {
  return unit === 32 || unit === 10 || unit === 13 || unit === 9;
}
