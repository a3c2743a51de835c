import type { MarkdownWriter } from "./markdown-writer.ts";

/** A cell that covers so many columns or more is no cell but a mistake or an attack. */
const maxSpan = 64;
/** Longest text that is said again in each row that a cell covers. */
const maxRepeatedLength = 200;

interface Row {
  cells: string[];
  text: string;
}

/**
 * Gathers the cells of a table as they are read, and writes it row by row. A table in a cell becomes text of that cell; rows of a
 * single cell, which is how pages are laid out, become paragraphs.
 */
export class TableReader {
  readonly #writer: MarkdownWriter;
  #depth = 0;
  #row: Row | undefined;
  #above: string[] = [];
  #hasHead = false;
  #inCell = false;
  #span = 1;
  #covered = false;

  constructor(writer: MarkdownWriter) {
    this.#writer = writer;
  }

  /** Whether text belongs to a cell at the moment. */
  get isInside(): boolean {
    return this.#depth > 0;
  }

  openTable(): void {
    this.#depth += 1;
    if (this.#depth > 1) return;
    this.#above = [];
    this.#hasHead = false;
  }

  closeTable(): void {
    this.#depth = Math.max(0, this.#depth - 1);
    if (this.#depth === 0) this.#writer.endBlock();
  }

  openRow(): void {
    if (this.#depth === 1) this.#row = { cells: [], text: "" };
  }

  openCell(): void {
    if (this.#depth > 1) this.addText("");
    if (this.#depth !== 1 || !this.#row) return;
    this.#row.text = "";
    this.#inCell = true;
    this.#span = 1;
    this.#covered = false;
  }

  /** The cell that is open covers so many columns. */
  span(columns: number): void {
    if (this.#depth === 1) this.#span = Math.min(maxSpan, Math.max(1, columns));
  }

  /** The cell that is open belongs to the one above it. */
  cover(): void {
    if (this.#depth === 1) this.#covered = true;
  }

  /** A paragraph of the cell that is open. */
  addText(text: string): void {
    if (this.#row && this.#inCell) this.#row.text += this.#row.text === "" || text === "" ? text : `\n${text}`;
  }

  /** @param times how often the same cell stands side by side */
  closeCell(times = 1): void {
    if (this.#depth !== 1 || !this.#row || !this.#inCell) return;
    const { cells, text } = this.#row;
    const above = this.#above[cells.length] ?? "";
    const value = this.#covered && text === "" && above.length <= maxRepeatedLength ? above : text;
    for (let time = 0; time < Math.min(maxSpan, times); time += 1) cells.push(value);
    for (let more = 1; more < this.#span; more += 1) cells.push("");
    this.#inCell = false;
  }

  closeRow(): void {
    const row = this.#row;
    if (this.#depth !== 1 || !row) return;
    this.#row = undefined;
    const { cells } = row;
    if (cells.every((cell) => cell.trim() === "")) return;
    this.#above = cells;
    if (cells.length > 1 || this.#hasHead) {
      this.#writer.row(cells, !this.#hasHead);
      this.#hasHead = true;
      return;
    }
    for (const paragraph of cells[0]!.split("\n")) this.#writer.paragraph(paragraph);
  }
}
