/** How many texts are known at the same time. */
const maxTexts = 200;

/** Shares equal strings in memory if they arrive shortly after each other. */
export class TextInterner {
  /** The oldest first. */
  readonly #texts = new Map<string, string>();

  intern(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > maxTexts && oldest !== undefined) this.#texts.delete(oldest);
    return text;
  }
}
