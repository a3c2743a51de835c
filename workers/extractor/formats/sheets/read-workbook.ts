import { DocumentError, type Piece } from "../../document.ts";
import { MarkdownWriter } from "../../markdown/markdown-writer.ts";
import type { Attributes } from "../../xml/attributes.ts";
import { readRelations } from "../../xml/read-relations.ts";
import { readXml, type XmlHandler } from "../../xml/read-xml.ts";
import type { ZipPackage } from "../../zip/zip-package.ts";
import { readCoreTitle } from "../office/read-core-title.ts";
import { formatValue, type NumberKind, readNumberKinds } from "./number-formats.ts";
import { SharedStrings } from "./shared-strings.ts";
import { SheetWriter } from "./sheet-writer.ts";

const maxSheets = 2000;
const maxColumns = 16_384;

interface Book {
  strings: SharedStrings;
  kinds: readonly NumberKind[];
  is1904: boolean;
}

/** A workbook (XLSX), sheet by sheet, each as a table. */
export function* readWorkbook(parts: ZipPackage, workbook: string, contentType: string): Generator<Piece, undefined> {
  if (!parts.has(workbook)) throw new DocumentError("file_corrupt", "It is damaged: the list of its sheets is missing");
  const relations = readRelations(parts, workbook);
  const partOf = (type: string) => [...relations.values()].find((relation) => relation.type === type)?.target ?? "";
  const { sheets, is1904 } = readSheetList(parts, workbook);
  yield { type: "kind", contentType, unit: "sheets", total: sheets.length };
  const book: Book = {
    strings: new SharedStrings(parts, partOf("sharedStrings")),
    kinds: readNumberKinds(parts, partOf("styles")),
    is1904,
  };
  const writer = new MarkdownWriter();
  const sheetWriter = new SheetWriter(writer);
  for (const [index, sheet] of sheets.entries()) {
    sheetWriter.begin(index + 1, sheet.name);
    const target = relations.get(sheet.relation)?.target ?? "";
    for (const _ of readXml(parts.open(target), new Rows(book, sheetWriter))) yield* writer.take();
    yield* writer.take();
    yield { type: "progress", done: index + 1, total: sheets.length };
  }
  yield { type: "end", pages: sheets.length, title: readCoreTitle(parts) };
}

function readSheetList(parts: ZipPackage, workbook: string) {
  const sheets: { name: string; relation: string }[] = [];
  let is1904 = false;
  const reading = readXml(parts.open(workbook), {
    open(name, attributes) {
      if (name === "workbookPr") is1904 = attributes.get("date1904") !== undefined && attributes.isOn("date1904");
      if (name !== "sheet" || attributes.get("state") === "veryHidden") return;
      if (sheets.length >= maxSheets)
        throw new DocumentError("file_too_complex", `It has more than ${maxSheets} sheets`);
      sheets.push({
        name: attributes.get("name") ?? `Sheet ${sheets.length + 1}`,
        relation: attributes.get("r:id") ?? "",
      });
    },
    close: () => undefined,
    text: () => undefined,
  });
  for (const _ of reading);
  return { sheets, is1904 };
}

/** Follows the rows of a sheet. */
class Rows implements XmlHandler {
  readonly #book: Book;
  readonly #writer: SheetWriter;
  #row: (string | undefined)[] = [];
  #column = 0;
  #type = "";
  #style = 0;
  #value = "";
  #inValue = false;

  constructor(book: Book, writer: SheetWriter) {
    this.#book = book;
    this.#writer = writer;
  }

  open(name: string, attributes: Attributes): void {
    if (name === "row") {
      this.#row = [];
      this.#column = -1;
    } else if (name === "c") {
      this.#column = columnOf(attributes.get("r")) ?? this.#column + 1;
      if (this.#column >= maxColumns) throw new DocumentError("file_corrupt", "It is damaged: a cell is out of range");
      this.#type = attributes.get("t") ?? "n";
      this.#style = attributes.number("s") ?? 0;
      this.#value = "";
    } else if (name === "v" || name === "t") this.#inValue = true;
  }

  close(name: string): void {
    if (name === "v" || name === "t") this.#inValue = false;
    else if (name === "c") this.#row[this.#column] = this.#read();
    else if (name === "row") this.#writer.row(this.#row);
  }

  text(text: string): void {
    if (this.#inValue && this.#value.length < 40_000) this.#value += text;
  }

  #read(): string | undefined {
    const value = this.#value;
    if (value === "") return undefined;
    if (this.#type === "s") return this.#book.strings.get(Number(value));
    if (this.#type === "b") return value === "1" ? "TRUE" : "FALSE";
    if (this.#type === "d") return value.replace("T", " ");
    if (this.#type !== "n") return value;
    return formatValue(value, this.#book.kinds[this.#style] ?? "number", this.#book.is1904);
  }
}

/** "AB12" is column 27. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^\$?([A-Za-z]{1,3})/.exec(reference ?? "")?.[1]?.toUpperCase();
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
