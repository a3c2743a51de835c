import { readXls, type CellValue } from "hucre/xlsx";
import { DocumentError, type Piece } from "../../document.ts";
import { MarkdownWriter } from "../../markdown/markdown-writer.ts";
import { SheetWriter } from "./sheet-writer.ts";

const contentType = "application/vnd.ms-excel";

/** A workbook of Excel 97 to 2003 (XLS), sheet by sheet, each as a table. */
export async function* readOldWorkbook(bytes: Uint8Array): AsyncGenerator<Piece, undefined> {
  const { sheets } = await open(bytes);
  yield { type: "kind", contentType, unit: "sheets", total: sheets.length };
  const writer = new MarkdownWriter();
  const sheetWriter = new SheetWriter(writer);
  for (const [index, sheet] of sheets.entries()) {
    sheetWriter.begin(index + 1, sheet.name);
    for (const row of sheet.rows) sheetWriter.row(row.map(textOf));
    yield* writer.take();
    yield { type: "progress", done: index + 1, total: sheets.length };
  }
  yield { type: "end", pages: sheets.length, title: null };
}

async function open(bytes: Uint8Array) {
  try {
    return await readXls(bytes);
  } catch (cause) {
    if (cause instanceof Error && /encrypt|password/i.test(`${cause.name} ${cause.message}`))
      throw new DocumentError("file_encrypted", "It is protected by a password", { cause });
    throw new DocumentError("file_corrupt", "It is damaged, or not a workbook", { cause });
  }
}

function textOf(value: CellValue): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return "";
    return value
      .toISOString()
      .replace("T", " ")
      .replace(/(?: 00:00:00)?\.000Z$/, "");
  }
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  return typeof value === "number" ? String(Number(value.toPrecision(15))) : String(value);
}
