import { DocumentError, type Piece } from "../../document.ts";
import { MarkdownWriter } from "../../markdown/markdown-writer.ts";
import { readRelations, type Relation } from "../../xml/read-relations.ts";
import { readXml } from "../../xml/read-xml.ts";
import type { ZipPackage } from "../../zip/zip-package.ts";
import { readCoreTitle } from "../office/read-core-title.ts";
import { readChart } from "./read-chart.ts";
import { readPlainText } from "./read-plain-text.ts";
import { SlideBody } from "./slide-body.ts";

const maxSlides = 10_000;

/** A presentation (PPTX), slide by slide: title, texts, tables, charts, diagrams, notes. */
export function* readSlides(parts: ZipPackage, presentation: string, contentType: string): Generator<Piece, undefined> {
  if (!parts.has(presentation))
    throw new DocumentError("file_corrupt", "It is damaged: the order of its slides is missing");
  const slides = readOrder(parts, presentation);
  yield { type: "kind", contentType, unit: "slides", total: slides.length };
  const writer = new MarkdownWriter();
  for (const [index, slide] of slides.entries()) {
    writer.beginPage(index + 1, `Slide ${index + 1}`);
    writeSlide(parts, slide, index + 1, writer);
    yield* writer.take();
    yield { type: "progress", done: index + 1, total: slides.length };
  }
  yield { type: "end", pages: slides.length, title: readCoreTitle(parts) };
}

function readOrder(parts: ZipPackage, presentation: string): string[] {
  const relations = readRelations(parts, presentation);
  const slides: string[] = [];
  const reading = readXml(parts.open(presentation), {
    open(name, attributes) {
      if (name !== "sldId") return;
      const target = relations.get(attributes.get("r:id") ?? "")?.target;
      if (target === undefined || !parts.has(target)) return;
      if (slides.length >= maxSlides)
        throw new DocumentError("file_too_complex", `It has more than ${maxSlides} slides`);
      slides.push(target);
    },
    close: () => undefined,
    text: () => undefined,
  });
  for (const _ of reading);
  return slides;
}

function writeSlide(parts: ZipPackage, slide: string, number: number, writer: MarkdownWriter): void {
  const relations = readRelations(parts, slide);
  const body = new SlideBody(relations);
  for (const _ of readXml(parts.open(slide), body));
  const drawn = new MarkdownWriter();
  body.write(drawn);
  for (const { type, target } of relations.values()) {
    if (type === "chart") readChart(parts, target, drawn);
    if (type === "diagramData") for (const line of readPlainText(parts, target)) drawn.item(0, "-", line);
  }
  drawn.endBlock();
  const notes = readNotes(parts, relations);
  if (body.title.trim() === "" && drawn.isEmpty && notes.isEmpty) return;
  // A slide without a title still is a section of its own.
  writer.heading(1, body.title.trim() || `Slide ${number}`);
  for (const { text } of drawn.take()) writer.raw(text);
  if (notes.isEmpty) return;
  writer.paragraph("Notes:");
  notes.write(writer);
}

function readNotes(parts: ZipPackage, relations: ReadonlyMap<string, Relation>): SlideBody {
  const notes = new SlideBody(new Map(), true);
  const target = [...relations.values()].find(({ type }) => type === "notesSlide")?.target;
  for (const _ of readXml(parts.open(target ?? ""), notes));
  return notes;
}
