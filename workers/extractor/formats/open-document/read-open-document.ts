import type { Piece } from "../../document.ts";
import { MarkdownWriter } from "../../markdown/markdown-writer.ts";
import { readXml } from "../../xml/read-xml.ts";
import type { ZipPackage } from "../../zip/zip-package.ts";
import { readCoreTitle } from "../office/read-core-title.ts";
import { OpenDocumentBody } from "./open-document-body.ts";

const content = "content.xml";
const pageBreak = "<text:soft-page-break";
const slide = "<draw:page ";

/** An OpenDocument text (ODT) or presentation (ODP). */
export function* readOpenDocument(
  parts: ZipPackage,
  contentType: string,
  isSlides: boolean,
): Generator<Piece, undefined> {
  const { hasBreaks, slides } = countPages(parts);
  yield {
    type: "kind",
    contentType,
    unit: isSlides ? "slides" : "pages",
    total: isSlides ? slides : null,
  };
  const writer = new MarkdownWriter();
  const body = new OpenDocumentBody(writer, isSlides, hasBreaks);
  let told = 0;
  for (const _ of readXml(parts.open(content), body)) {
    yield* writer.take();
    if (body.pages - told < 10) continue;
    told = body.pages;
    yield { type: "progress", done: told, total: isSlides ? slides : null };
  }
  body.end();
  yield* writer.take();
  yield { type: "end", pages: body.pages || null, title: body.title ?? readCoreTitle(parts) };
}

/** Counted beforehand, by the bare tags: only some programs note where pages end. */
function countPages(parts: ZipPackage): { hasBreaks: boolean; slides: number } {
  let hasBreaks = false;
  let slides = 0;
  let rest = "";
  for (const piece of parts.open(content)) {
    const text = rest + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("latin1");
    hasBreaks ||= text.includes(pageBreak);
    for (let at = text.indexOf(slide); at >= 0; at = text.indexOf(slide, at + 1))
      // What lies in the repeated end entirely has been counted already.
      if (at + slide.length > rest.length) slides += 1;
    rest = text.slice(-pageBreak.length);
  }
  return { hasBreaks, slides };
}
