import { DocumentError } from "../../document.ts";
import type { MarkdownWriter } from "../../markdown/markdown-writer.ts";

/** Cells of a whole workbook that have anything in them. */
const maxCells = 5_000_000;
/** Longest text of one cell; programs allow 32,767. */
const maxCell = 40_000;

/**
 * Writes the sheets of a workbook as tables. The first row with more than one cell is the head of its table; what stands above it,
 * titles and remarks, are paragraphs. An empty row ends a table only where the next one begins with a head again; nobody can
 * tell, so it does not.
 */
export class SheetWriter {
  readonly #writer: MarkdownWriter;
  #cells = 0;
  #hasHead = false;
  /** Its name is written when there is something in it. */
  #name: string | undefined;

  constructor(writer: MarkdownWriter) {
    this.#writer = writer;
  }

  /** @param number from 1 */
  begin(number: number, name: string): void {
    this.#writer.endBlock();
    this.#writer.beginPage(number, name);
    this.#name = name;
    this.#hasHead = false;
  }

  /** @param cells by their columns; empty ones may be missing */
  row(cells: readonly (string | undefined)[]): void {
    const values = Array.from(cells, (cell) => (cell ?? "").slice(0, maxCell));
    while (values.length > 0 && values.at(-1)!.trim() === "") values.pop();
    const filled = values.reduce((count, value) => count + (value.trim() === "" ? 0 : 1), 0);
    if (filled === 0) return;
    this.#cells += filled;
    if (this.#cells > maxCells)
      throw new DocumentError("file_too_large", `It has more than ${maxCells.toLocaleString("en")} cells`);
    if (this.#name !== undefined) this.#writer.heading(1, this.#name);
    this.#name = undefined;
    if (!this.#hasHead && filled === 1) {
      this.#writer.paragraph(values.find((value) => value.trim() !== "")!);
      return;
    }
    this.#writer.row(values, !this.#hasHead);
    this.#hasHead = true;
  }
}
