import { DocumentError } from "../../document.ts";
import type { MarkdownWriter } from "../../markdown/markdown-writer.ts";

/** Cells of a whole workbook that have anything in them. */
const maxCells = 5_000_000;
/** Longest text of one cell; programs allow 32,767. */
const maxCellLength = 40_000;
/** Columns from which on a row with little in it is told by the names of its columns. */
const wideRow = 64;

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
    const values: string[] = [];
    let filled = 0;
    let width = 0;
    for (let column = 0; column < cells.length; column += 1) {
      const value = cells[column] ?? "";
      values.push(value.length > maxCellLength ? value.slice(0, maxCellLength) : value);
      if (value === "" || value.trim() === "") continue;
      filled += 1;
      width = column + 1;
    }
    if (filled === 0) return;
    values.length = width;
    this.#cells += filled;
    if (this.#cells > maxCells)
      throw new DocumentError("file_too_large", `It has more than ${maxCells.toLocaleString("en")} cells`);
    if (this.#name !== undefined) this.#writer.heading(1, this.#name);
    this.#name = undefined;
    if (!this.#hasHead && filled === 1) {
      this.#writer.paragraph(values.find((value) => value.trim() !== "")!);
      return;
    }
    if (width > wideRow && filled * 8 < width) {
      this.#writer.paragraph(
        values.flatMap((value, at) => (value.trim() === "" ? [] : [`${columnName(at)}: ${value}`])).join("; "),
      );
      return;
    }
    this.#writer.row(values, !this.#hasHead);
    this.#hasHead = true;
  }
}

/** 0 is A, 27 is AB. */
function columnName(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnName(Math.floor(column / 26) - 1) + last;
}
