/** Longer cells end, and with them the quotes around them: what is never closed would be one cell to the end. */
const maxCellLength = 100_000;
const maxCells = 2000;

/** Rows of a text with separated values (RFC 4180, and what programs make of it), as it comes. */
export class CsvRows {
  readonly #delimiter: string;
  #cells: string[] = [];
  /** Of the cell that is being read, in pieces. */
  #cell: string[] = [];
  #length = 0;
  /** "open" in quotes, "closing" after a quote that may be one of two. */
  #quotes: "none" | "open" | "closing" = "none";

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** @param text with "\n" at the ends of lines @returns the rows that are complete now */
  push(text: string): string[][] {
    const rows: string[][] = [];
    let at = 0;
    while (at < text.length) {
      if (this.#quotes === "closing") at = this.#afterQuote(text, at);
      else if (this.#quotes === "open") at = this.#inQuotes(text, at);
      else at = this.#outside(text, at, rows);
    }
    return rows;
  }

  end(): string[][] {
    if (this.#cells.length === 0 && this.#length === 0) return [];
    this.#endCell();
    return [this.#cells];
  }

  #afterQuote(text: string, at: number): number {
    if (text[at] !== '"') {
      this.#quotes = "none";
      return at;
    }
    this.#add('"');
    this.#quotes = "open";
    return at + 1;
  }

  #inQuotes(text: string, at: number): number {
    const quote = text.indexOf('"', at);
    const end = Math.min(quote === -1 ? text.length : quote, at + maxCellLength - this.#length);
    this.#add(text.slice(at, end));
    if (end === quote) this.#quotes = "closing";
    else if (this.#length >= maxCellLength) this.#quotes = "none";
    return end === quote ? end + 1 : end;
  }

  #outside(text: string, at: number, rows: string[][]): number {
    if (text[at] === '"' && this.#length === 0) {
      this.#quotes = "open";
      return at + 1;
    }
    let end = at;
    while (end < text.length && text[end] !== this.#delimiter && text[end] !== "\n") end++;
    this.#add(text.slice(at, end));
    if (end === text.length) return end;
    this.#endCell();
    if (text[end] === "\n") {
      rows.push(this.#cells);
      this.#cells = [];
    }
    return end + 1;
  }

  #add(text: string): void {
    if (text === "") return;
    this.#cell.push(text);
    this.#length += text.length;
  }

  #endCell(): void {
    // What goes beyond what a table can hold stays in its last cell.
    if (this.#cells.length < maxCells) this.#cells.push(this.#cell.join(""));
    else this.#cells[maxCells - 1] += ` ${this.#cell.join("")}`;
    this.#cell = [];
    this.#length = 0;
  }
}
