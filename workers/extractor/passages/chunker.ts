import { estimateTokenCount } from "tokenx";
import type { ChunkOptions, Passage } from "../../../src/files/extraction/extractor.ts";

/** Cuts a text into passages as it comes. */
export class Chunker {
  readonly #options: ChunkOptions;
  #text = "";
  #start = 0;

  constructor(options: ChunkOptions) {
    this.#options = options;
  }

  /** @returns the passages that are complete now */
  push(text: string, page: number | null, label: string | null): Passage[] {
    this.#text += text;
    const passages: Passage[] = [];
    while (this.#text.length > this.#options.size) {
      const cut = this.#text.lastIndexOf("\n", this.#options.size);
      passages.push(...this.#take(cut > 0 ? cut + 1 : this.#options.size, page, label));
    }
    return passages;
  }

  end(): Passage[] {
    return this.#take(this.#text.length, null, null);
  }

  #take(length: number, page: number | null, label: string | null): Passage[] {
    const text = this.#text.slice(0, length);
    const start = this.#start;
    this.#text = this.#text.slice(length);
    this.#start += length;
    if (text.trim() === "") return [];
    return [{ text, headings: [], page, label, start, end: start + length, tokens: estimateTokenCount(text) }];
  }
}
