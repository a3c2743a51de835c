import { DocumentError, type Piece } from "../../document.ts";
import { MarkdownWriter } from "../../markdown/markdown-writer.ts";
import { readRelations } from "../../xml/read-relations.ts";
import { readXml } from "../../xml/read-xml.ts";
import type { ZipPackage } from "../../zip/zip-package.ts";
import { readCoreTitle } from "../office/read-core-title.ts";
import { Numbering } from "./numbering.ts";
import { readStyles } from "./read-styles.ts";
import { WordBody, WordNotes } from "./word-body.ts";

const pageMark = Buffer.from("lastRenderedPageBreak");

/** A Word document (DOCX): headings, lists, tables, links and notes; pages if the program marked them. */
export function* readWord(parts: ZipPackage, body: string, contentType: string): Generator<Piece, undefined> {
  if (!parts.has(body)) throw new DocumentError("file_corrupt", "It is damaged: its text is missing");
  const relations = readRelations(parts, body);
  const partOf = (type: string) => [...relations.values()].find((relation) => relation.type === type)?.target ?? "";
  yield { type: "kind", contentType, unit: "pages", total: null };
  const hasPages = hasPageMarks(parts, body);
  const writer = new MarkdownWriter();
  const handler = new WordBody(writer, {
    styles: readStyles(parts, partOf("styles")),
    numbering: new Numbering(parts, partOf("numbering")),
    relations,
    hasPages,
  });
  let told = 1;
  for (const _ of readXml(parts.open(body), handler)) {
    yield* writer.take();
    if (handler.page - told < 10) continue;
    told = handler.page;
    yield { type: "progress", done: told, total: null };
  }
  handler.end();
  yield* writer.take();
  yield* readNotes(parts, { "": partOf("footnotes"), e: partOf("endnotes") }, writer);
  yield { type: "end", pages: hasPages ? handler.page : null, title: handler.title ?? readCoreTitle(parts) };
}

/** At the end, each under the number that it has in the text. */
function* readNotes(
  parts: ZipPackage,
  places: Record<string, string>,
  writer: MarkdownWriter,
): Generator<Piece, undefined> {
  for (const [prefix, part] of Object.entries(places)) {
    const handler = new WordNotes();
    for (const _ of readXml(parts.open(part), handler));
    for (const [id, note] of handler.notes)
      if (note.trim() !== "") writer.paragraph(`[^${prefix}${id}]: ${note.trim()}`);
  }
  yield* writer.take();
}

/** Whether there is any mark of a page's end: only some programs write them. */
function hasPageMarks(parts: ZipPackage, body: string): boolean {
  let end = Buffer.alloc(0);
  for (const piece of parts.open(body)) {
    const text = Buffer.concat([end, piece]);
    if (text.includes(pageMark)) return true;
    end = text.subarray(-pageMark.length);
  }
  return false;
}
