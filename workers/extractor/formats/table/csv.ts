import { decodeText } from "../../decode-text.ts";
import type { Format } from "../../document.ts";
import { MarkdownWriter } from "../../markdown/markdown-writer.ts";
import { countBytes } from "../../progress.ts";
import { CsvRows } from "./csv-rows.ts";
import { guessDelimiter } from "./guess-delimiter.ts";

/** Delimited text with any separator: a Markdown table, row by row. */
export const csvFormat: Format = {
  async *read(document) {
    const { contentType, size } = document.facts;
    yield { type: "kind", contentType, unit: "bytes", total: size };
    const progress = countBytes(size);
    const table = new Table();
    let rows: CsvRows | undefined;
    for await (let text of decodeText(progress.watch(document.stream()))) {
      if (!rows) {
        rows = new CsvRows(contentType === "text/tab-separated-values" ? "\t" : guessDelimiter(text));
        text = text.replace(/^sep=.\n/, "");
      }
      for (const row of rows.push(text)) table.add(row);
      yield* table.take();
      yield* progress.news();
    }
    for (const row of rows?.end() ?? []) table.add(row);
    yield* table.take();
  },
};

/** The first row with several values is the header; what stands alone above it is a title. */
class Table {
  readonly #writer = new MarkdownWriter();
  #width = 0;

  add(cells: readonly string[]): void {
    const filled = cells.filter((cell) => cell.trim() !== "");
    if (filled.length === 0) return;
    if (this.#width > 0) return this.#writer.row(this.#fit(cells), false);
    if (filled.length === 1 && cells.length === 1) return this.#addTitle(filled[0]!);
    if (filled.length === 1) return this.#writer.paragraph(filled[0]!);
    this.#width = cells.length;
    this.#writer.row(cells, true);
  }

  take() {
    return this.#writer.take();
  }

  /** A list of single values is a table of one column, whose rows are its lines. */
  #addTitle(text: string): void {
    this.#writer.item(0, "-", text);
  }

  /** What is too much goes into the last cell. Rows that are too short stay so: cells of them are empty without being written. */
  #fit(cells: readonly string[]): readonly string[] {
    if (cells.length <= this.#width) return cells;
    const over = cells.slice(this.#width - 1).filter((cell) => cell.trim() !== "");
    return [...cells.slice(0, this.#width - 1), over.join(" ")];
  }
}
