import type { Links, Token } from "marked";
import { BoundedLexer } from "./bounded-lexer.ts";
import { growTable } from "./grow-table.ts";
import { mendTail } from "./mend-tail.ts";
import { markdown, type TalkOptions } from "./parser.ts";

/** One top-level piece of an answer. Its identity stays the same as long as its source and its look do. */
export interface Block {
  /** Offset of the block in the text: a stable key while text is only appended. */
  key: number;
  raw: string;
  tokens: Token[];
  /** The last block of a text that is still arriving. */
  open: boolean;
}

/** How many blocks at the end are looked at again: a later line can still change what the last two are (`- a`, blank, `-`). */
const unsettled = 2;

/**
 * Splits a growing Markdown text into blocks and lexes only its end again, so that a step costs what the last blocks
 * cost, not what the text costs. Text that does not continue the previous one is split from its start.
 */
export class BlockSplitter {
  #text = "";
  #blocks: Block[] = [];
  #links: Links = {};
  readonly #options: TalkOptions;

  /**
   * @param options `breaks`: the end of a line is one in what is shown too, as people mean it who write to each other;
   *   `mentions`: codes of names are names
   */
  constructor({ breaks = false, mentions = false }: { breaks?: boolean; mentions?: boolean } = {}) {
    this.#options = { breaks, mentions };
  }

  /** `streaming` says that more text may come: then the last block is mended and marked `open`. */
  update(source: string, streaming: boolean): Block[] {
    // The lexer does the same; done here so that offsets in the text and lengths of tokens agree.
    const text = source.replace(/\r\n?/gu, "\n");
    const continues = text.startsWith(this.#text);
    const grown =
      streaming && continues && isEmpty(this.#links)
        ? growTable(this.#blocks.at(-1), text, (part) => this.#lex(part, {}).tokens)
        : undefined;
    if (grown) {
      this.#text = text;
      this.#blocks = [...this.#blocks.slice(0, -1), grown];
      return this.#blocks;
    }
    const settled = continues && isEmpty(this.#links) ? this.#settledBlocks() : [];
    let next = this.#splitFrom(text, endOf(settled.at(-1)));
    const defines = !isEmpty(next.links);
    // A definition that arrives late (`[1]: https://…`) gives a meaning to references in blocks already settled.
    if (defines && settled.length > 0) next = this.#splitFrom(text, 0);
    const linksKept = JSON.stringify(next.links) === JSON.stringify(this.#links);
    const blocks = this.#keepSame(next.blocks, (block) => linksKept || !block.raw.includes("]"));
    this.#blocks = defines ? blocks : [...settled, ...blocks];
    this.#text = text;
    this.#links = next.links;
    if (streaming) this.#openLast();
    return this.#blocks;
  }

  #settledBlocks(): Block[] {
    return this.#blocks.slice(0, Math.max(0, this.#blocks.length - unsettled));
  }

  #keepSame(blocks: Block[], mayKeep: (block: Block) => boolean): Block[] {
    const before = new Map(this.#blocks.map((block) => [block.key, block]));
    return blocks.map((block) => {
      const old = before.get(block.key);
      return old && !old.open && old.raw === block.raw && mayKeep(block) ? old : block;
    });
  }

  #openLast(): void {
    const last = this.#blocks.at(-1);
    if (!last) return;
    const { tokens } = this.#lex(mendTail(last.raw), this.#links);
    this.#blocks = [...this.#blocks.slice(0, -1), { ...last, tokens, open: true }];
  }

  #splitFrom(text: string, from: number): { blocks: Block[]; links: Links } {
    const { tokens, links } = this.#lex(text.slice(from), {});
    const blocks: Block[] = [];
    let at = from;
    for (const token of tokens) {
      if (token.type !== "space" && token.type !== "def")
        blocks.push({ key: at, raw: token.raw, tokens: [token], open: false });
      at += token.raw.length;
    }
    return { blocks, links };
  }

  #lex(text: string, known: Links): { tokens: Token[]; links: Links } {
    const lexer = new BoundedLexer({ ...markdown.defaults, ...this.#options });
    Object.assign(lexer.tokens.links, known);
    const tokens = lexer.lex(text);
    return { tokens, links: { ...tokens.links } };
  }
}

function isEmpty(links: Links): boolean {
  return Object.keys(links).length === 0;
}

function endOf(block: Block | undefined): number {
  return block ? block.key + block.raw.length : 0;
}
