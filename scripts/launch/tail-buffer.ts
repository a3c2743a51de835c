/** Keeps the last lines of an output, to be shown when its process has failed. */
export class TailBuffer {
  readonly #lines: string[] = [];

  add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > 20) this.#lines.shift();
  }

  /** The lines with a heading, or nothing when there are none. */
  toString(): string {
    return this.#lines.length === 0 ? "" : `Last output:\n${this.#lines.join("\n")}`;
  }
}
