import type { Piece } from "../../document.ts";
import { MarkdownWriter } from "../../markdown/markdown-writer.ts";
import type { Attributes } from "../../xml/attributes.ts";
import { readXml, type XmlHandler } from "../../xml/read-xml.ts";
import type { ZipPackage } from "../../zip/zip-package.ts";
import { readCoreTitle } from "../office/read-core-title.ts";
import { SheetWriter } from "./sheet-writer.ts";

const content = "content.xml";
const maxColumns = 16_384;
/** A filled cell or row that is repeated more often is no data. */
const maxRepeats = 1000;

/** An OpenDocument spreadsheet (ODS), each sheet as a table. */
export function* readOpenSheets(parts: ZipPackage, contentType: string): Generator<Piece, undefined> {
  const total = countSheets(parts);
  yield { type: "kind", contentType, unit: "sheets", total };
  const writer = new MarkdownWriter();
  const sheets = new Sheets(new SheetWriter(writer));
  let told = 0;
  for (const _ of readXml(parts.open(content), sheets)) {
    yield* writer.take();
    if (sheets.count === told) continue;
    // The one that is being read is not done yet.
    yield { type: "progress", done: told, total };
    told = sheets.count;
  }
  yield* writer.take();
  yield { type: "progress", done: total, total };
  yield { type: "end", pages: total, title: readCoreTitle(parts) };
}

function countSheets(parts: ZipPackage): number {
  let depth = 0;
  let count = 0;
  const reading = readXml(parts.open(content), {
    open(name) {
      if (name !== "table") return;
      if (depth === 0) count += 1;
      depth += 1;
    },
    close(name) {
      if (name === "table") depth -= 1;
    },
    text: () => undefined,
  });
  for (const _ of reading);
  return count;
}

/** Follows the sheets of the file. */
class Sheets implements XmlHandler {
  count = 0;
  readonly #writer: SheetWriter;
  #depth = 0;
  #row: string[] = [];
  #rowRepeat = 1;
  #cell: { text: string; value: string | undefined; repeat: number } | undefined;
  #skipping = 0;

  constructor(writer: SheetWriter) {
    this.#writer = writer;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipping > 0 || name === "annotation" || name === "tracked-changes") {
      this.#skipping += 1;
    } else if (name === "table") {
      this.#depth += 1;
      if (this.#depth > 1) return;
      this.count += 1;
      this.#writer.begin(this.count, attributes.get("table:name") ?? `Sheet ${this.count}`);
    } else if (this.#depth !== 1) {
      return;
    } else if (name === "table-row") {
      this.#row = [];
      this.#rowRepeat = attributes.number("number-rows-repeated") ?? 1;
    } else if (name === "table-cell" || name === "covered-table-cell") {
      const repeat = attributes.number("number-columns-repeated") ?? 1;
      this.#cell = { text: "", value: valueOf(attributes), repeat };
    } else if (this.#cell && name === "p" && this.#cell.text !== "") this.#cell.text += "\n";
    else if (this.#cell && (name === "s" || name === "tab" || name === "line-break")) this.#cell.text += " ";
  }

  close(name: string): void {
    if (this.#skipping > 0) this.#skipping -= 1;
    else if (name === "table") this.#depth -= 1;
    else if (this.#depth !== 1) return;
    else if (name === "table-cell" || name === "covered-table-cell") this.#closeCell();
    else if (name === "table-row") this.#closeRow();
  }

  text(text: string): void {
    if (this.#cell && this.#skipping === 0 && this.#cell.text.length < 40_000) this.#cell.text += text;
  }

  #closeCell(): void {
    const cell = this.#cell;
    this.#cell = undefined;
    if (!cell) return;
    const value = cell.value ?? cell.text;
    // Empty cells fill a sheet to its edge.
    const times = Math.min(value.trim() === "" ? maxColumns : maxRepeats, Math.max(1, cell.repeat));
    for (let time = 0; time < times && this.#row.length < maxColumns; time += 1) this.#row.push(value);
  }

  #closeRow(): void {
    const times = Math.min(maxRepeats, Math.max(1, this.#rowRepeat));
    const row = this.#row;
    if (row.every((value) => value.trim() === "")) return;
    for (let time = 0; time < times; time += 1) this.#writer.row(row);
  }
}

/** Dates in the form that sorts; all else is what the sheet shows. */
function valueOf(attributes: Attributes): string | undefined {
  const date = attributes.get("office:date-value");
  if (date === undefined) return undefined;
  return date.replace("T", " ").replace(/ 00:00:00(\.0+)?$/, "");
}
