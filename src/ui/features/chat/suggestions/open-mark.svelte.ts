/** The mark that is being written in a field, such as `#word`, for which a list is open. */
export class OpenMark<M extends { start: number }> {
  current = $state.raw<M>();
  /** Where the list was closed: it stays closed until the next mark. */
  #closedAt: number | undefined;

  /** To be called with the mark at the caret when the text or the caret has changed. */
  look(found: M | undefined): void {
    if (found?.start !== this.#closedAt) this.#closedAt = undefined;
    this.current = this.#closedAt === undefined ? found : undefined;
  }

  /** Closes the list for this mark. */
  close(): void {
    this.#closedAt = this.current?.start;
    this.current = undefined;
  }

  /** Lets the list open again where it was closed. */
  reopen(): void {
    this.#closedAt = undefined;
  }

  /** Ends the mark, for what was chosen takes its place. */
  take(): M | undefined {
    const mark = this.current;
    this.current = undefined;
    return mark;
  }
}
