/** How many texts are known at the same time. */
const maxTexts = 200;

/** Makes equal texts one in memory, as long as they come soon after each other. */
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
