import { formatNumber } from "../../markdown/format-number.ts";
import { MarkdownWriter } from "../../markdown/markdown-writer.ts";
import { TableReader } from "../../markdown/table-reader.ts";
import type { Attributes } from "../../xml/attributes.ts";
import type { Relation } from "../../xml/read-relations.ts";
import type { XmlHandler } from "../../xml/read-xml.ts";

interface Paragraph {
  text: string;
  level: number;
  /** undefined: as the place it stands in has it. */
  bullet: "none" | "bullet" | "number" | undefined;
  format: string;
}

/** Numbers of slides, dates and the like stand on each slide again. */
const furniture = new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]);

/** Reads a slide. Text is held until the title is known, which may be anywhere. */
export class SlideBody implements XmlHandler {
  title = "";
  readonly #held = new MarkdownWriter();
  readonly #relations: ReadonlyMap<string, Relation>;
  /** Of pages of notes only the notes are read, not the picture of the slide. */
  readonly #isNotes: boolean;
  readonly #table = new TableReader(this.#held);
  #paragraph: Paragraph | undefined;
  #inText = false;
  #skipping = 0;
  #place: string | undefined;
  #counts: number[] = [];
  #link: string | undefined;

  constructor(relations: ReadonlyMap<string, Relation>, isNotes = false) {
    this.#relations = relations;
    this.#isNotes = isNotes;
  }

  get isEmpty(): boolean {
    return this.#held.isEmpty;
  }

  /** Puts all that was read to another writer's text. */
  write(writer: MarkdownWriter): void {
    for (const { text } of this.#held.take()) writer.raw(text);
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipping > 0 || name === "Fallback") {
      this.#skipping += 1;
      return;
    }
    if (name === "sp" || name === "graphicFrame" || name === "pic" || name === "cxnSp") {
      this.#place = undefined;
    } else if (name === "ph") this.#place = attributes.get("type") ?? "body";
    else if (name === "cNvPr") this.#describe(attributes);
    else if (name === "p") this.#paragraph = { text: "", level: 0, bullet: undefined, format: "decimal" };
    else if (name === "t") this.#inText = true;
    else if (name === "tbl") this.#table.openTable();
    else if (name === "tr") this.#table.openRow();
    else if (name === "tc") this.#openCell(attributes);
    else if (this.#paragraph) this.#openInParagraph(name, attributes, this.#paragraph);
  }

  close(name: string): void {
    if (this.#skipping > 0) {
      this.#skipping -= 1;
      return;
    }
    if (name === "t") this.#inText = false;
    else if (name === "p") this.#closeParagraph();
    else if (name === "r") this.#closeRun();
    else if (name === "tc") this.#table.closeCell();
    else if (name === "tr") this.#table.closeRow();
    else if (name === "tbl") this.#table.closeTable();
    else if (name === "txBody") {
      this.#counts = [];
      if (!this.#table.isInside) this.#held.endBlock();
    }
  }

  text(text: string): void {
    if (this.#inText && this.#skipping === 0 && this.#paragraph) this.#paragraph.text += text;
  }

  #openInParagraph(name: string, attributes: Attributes, paragraph: Paragraph): void {
    if (name === "pPr") paragraph.level = Math.min(8, Math.max(0, attributes.number("lvl") ?? 0));
    else if (name === "buNone") paragraph.bullet = "none";
    else if (name === "buChar" || name === "buBlip") paragraph.bullet = "bullet";
    else if (name === "buAutoNum") {
      paragraph.bullet = "number";
      paragraph.format = numberFormat(attributes.get("type") ?? "");
    } else if (name === "br") paragraph.text += "\n";
    else if (name === "hlinkClick") {
      const relation = this.#relations.get(attributes.get("r:id") ?? "");
      if (relation?.isExternal && /^(https?|mailto):/i.test(relation.target)) this.#link = relation.target;
    }
  }

  #openCell(attributes: Attributes): void {
    this.#table.openCell();
    // The cells that another one covers stand there, too.
    if (attributes.get("vMerge") !== undefined && attributes.isOn("vMerge")) this.#table.cover();
  }

  #describe(attributes: Attributes): void {
    const description = attributes.get("descr")?.trim();
    if (description && !this.#isNotes) this.#held.paragraph(`[Picture: ${description.slice(0, 2000)}]`);
  }

  #closeRun(): void {
    if (this.#link !== undefined && this.#paragraph && !this.#paragraph.text.includes(this.#link))
      this.#paragraph.text += ` (${this.#link})`;
    this.#link = undefined;
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraph;
    this.#paragraph = undefined;
    if (!paragraph || paragraph.text.trim() === "") return;
    const place = this.#place;
    if (place !== undefined && furniture.has(place)) return;
    if (this.#isNotes && place !== "body") return;
    if (this.#table.isInside) return this.#table.addText(paragraph.text);
    if (place === "title" || place === "ctrTitle") {
      this.title += this.title === "" ? paragraph.text : ` ${paragraph.text}`;
      return;
    }
    const marker = this.#marker(paragraph, place);
    if (marker === undefined) this.#held.paragraph(paragraph.text);
    else this.#held.item(paragraph.level, marker, paragraph.text);
  }

  /** Undefined: no item of a list. Bodies of slides are lists unless they say otherwise. */
  #marker(paragraph: Paragraph, place: string | undefined): string | undefined {
    const { level, bullet } = paragraph;
    const isList = bullet === undefined ? !this.#isNotes && (place === "body" || place === "obj") : bullet !== "none";
    this.#counts.length = bullet === "number" ? level + 1 : Math.min(this.#counts.length, level);
    if (bullet === "number") {
      this.#counts[level] = (this.#counts[level] ?? 0) + 1;
      return `${formatNumber(this.#counts[level], paragraph.format)}.`;
    }
    return isList || level > 0 ? "-" : undefined;
  }
}

/** Such as "arabicPeriod" or "alphaLcParenR". */
function numberFormat(type: string): string {
  if (type.startsWith("alpha")) return type.includes("Uc") ? "upperLetter" : "lowerLetter";
  if (type.startsWith("roman")) return type.includes("Uc") ? "upperRoman" : "lowerRoman";
  return "decimal";
}
