import type { PageMark } from "../extraction/extractor.ts";

/** Notes where the pages of a text stand while it is written; pieces of one page are one mark. */
export class PageMarks {
  readonly marks: PageMark[] = [];
  #length = 0;

  add(text: string, page: number | null, label: string | null): void {
    const start = this.#length;
    this.#length += text.length;
    const last = this.marks.at(-1);
    if (last?.page === page && last.label === label) last.end = this.#length;
    // Nothing is said of a text that begins without pages.
    else if (page !== null || label !== null || last) this.marks.push({ page, label, start, end: this.#length });
  }
}
