import { Lexer, type MarkedOptions, type Token, type Tokens, type TokensList } from "marked";

/** Quotes and lists inside of each other; what is deeper is shown as it was written. */
export const maxDepth = 24;
/** Emphasis and links inside of each other. */
const maxInlineDepth = 24;
/** Characters of one paragraph, heading or cell with markup in it. */
export const maxInlineLength = 10_000;
/** Cells of a table. */
export const maxCells = 20_000;
/**
 * The work of a text and of one paragraph, as characters that the lexer looks at: at each step it may go through the rest
 * of the paragraph. A character takes some nanoseconds.
 */
export const maxWork = { text: 20_000_000, paragraph: 4_000_000 };

class TooMuchWork extends Error {}

/**
 * The lexer with limits, because people and models write texts on which it takes seconds or overflows the stack. What is
 * beyond them is shown as plain text.
 */
export class BoundedLexer extends Lexer {
  /** What was done so far, as in `maxWork`. */
  work = 0;
  #depth = 0;
  #containers = 0;
  #inlineDepth = 0;
  /** Up to where the work may go in this paragraph. */
  #mayReach = 0;
  /** For each text that is being split into blocks: where the next block of a kind begins, counted from its end; -1 for none. */
  readonly #starts: Map<RegExp, number>[] = [];

  constructor(options: MarkedOptions) {
    super({ ...options });
  }

  override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(src: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList;
  override blockTokens(src: string, tokens: Token[] = [], lastParagraphClipped?: boolean): Token[] {
    if (this.#depth === maxDepth) {
      tokens.push({ type: "paragraph", raw: src, text: src, tokens: [asWritten(src)] } satisfies Tokens.Paragraph);
      return tokens;
    }
    this.#depth++;
    this.#starts.push(new Map());
    try {
      return super.blockTokens(src, tokens, lastParagraphClipped);
    } finally {
      this.#depth--;
      this.#starts.pop();
    }
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (this.#inlineDepth === 0) {
      if (src.length > maxInlineLength || this.work > maxWork.text) return add(tokens, asWritten(src));
      this.#mayReach = this.work + maxWork.paragraph;
    } else if (this.#inlineDepth === maxInlineDepth) return add(tokens, asWritten(src));
    const { length } = tokens;
    const { inLink, inRawBlock } = this.state;
    this.#inlineDepth++;
    try {
      return super.inlineTokens(src, tokens);
    } catch (error) {
      if (!(error instanceof TooMuchWork) || this.#inlineDepth > 1) throw error;
      Object.assign(this.state, { inLink, inRawBlock });
      tokens.length = length;
      return add(tokens, asWritten(src));
    } finally {
      this.#inlineDepth--;
    }
  }

  /**
   * A quote or a list, which the tokenizer may also build again from inside of itself.
   * @returns its lines as plain text if it is too deep
   */
  nest<T extends Token>(src: string, build: () => T | undefined): T | Tokens.Paragraph | undefined {
    if (this.#containers === maxDepth) {
      const [raw] = /^[^]*?(?=\n\n|$)/u.exec(src)!;
      return { type: "paragraph", raw, text: raw, tokens: [asWritten(raw)] };
    }
    this.#containers++;
    try {
      return build();
    } finally {
      this.#containers--;
    }
  }

  /** Where the next block begins that starts like this: the rest of the text is not searched again at each paragraph. */
  findStart(src: string, start: RegExp): number | undefined {
    const known = this.#starts.at(-1);
    let fromEnd = known?.get(start);
    if (fromEnd === undefined || fromEnd > src.length) {
      const found = start.exec(src);
      fromEnd = found ? src.length - found.index : -1;
      known?.set(start, fromEnd);
    }
    return fromEnd === -1 ? undefined : src.length - fromEnd;
  }

  /** To be called at each step with how much is left of the paragraph. */
  count(characters: number): void {
    this.work += characters;
    if (this.work > this.#mayReach) throw new TooMuchWork();
  }
}

function add(tokens: Token[], token: Token): Token[] {
  tokens.push(token);
  return tokens;
}

function asWritten(text: string): Tokens.Text {
  return { type: "text", raw: text, text, escaped: false };
}

/**
 * The lines at the start of a text as code, if they would be a table of too many cells: each row gets as many as the first
 * line has. False: they would not.
 */
export function hugeTable(src: string): Tokens.Code | false {
  const second = src.indexOf("\n") + 1;
  if (second === 0 || !/^[ \t|:-]*-[ \t|:-]*(?:\n|$)/u.test(src.slice(second, second + maxInlineLength))) return false;
  const columns = src.slice(0, second).split("|").length;
  let end = second;
  for (let rows = 1; end > 0 && src[end] !== "\n"; rows++) {
    if (columns * rows > maxCells) {
      const blank = src.indexOf("\n\n", end);
      const raw = blank === -1 ? src : src.slice(0, blank + 1);
      return { type: "code", raw, text: raw };
    }
    end = src.indexOf("\n", end) + 1;
  }
  return false;
}
