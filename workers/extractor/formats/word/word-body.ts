import type { MarkdownWriter } from "../../markdown/markdown-writer.ts";
import { TableReader } from "../../markdown/table-reader.ts";
import type { Attributes } from "../../xml/attributes.ts";
import type { Relation } from "../../xml/read-relations.ts";
import type { XmlHandler } from "../../xml/read-xml.ts";
import type { Numbering } from "./numbering.ts";
import type { Style } from "./read-styles.ts";

interface Paragraph {
  text: string;
  style: Style;
  heading: number | undefined;
  list: { number: string; level: number } | undefined;
}

/** What is there but not to be read: what was deleted, codes of fields, what stands there a second time for old programs. */
const skipped = new Set([
  "Fallback",
  "del",
  "moveFrom",
  "delText",
  "instrText",
  "pPrChange",
  "rPrChange",
  "numberingChange",
  "rt",
]);
const maxNoteLength = 20_000;

export interface WordSources {
  styles: ReadonlyMap<string, Style>;
  numbering: Numbering;
  relations: ReadonlyMap<string, Relation>;
  /** Whether the program that wrote it noted where its pages end. */
  hasPages: boolean;
}

/** Follows the body of a Word document, or its notes, and writes it. */
export class WordBody implements XmlHandler {
  /** Of the page that it has come to. */
  page = 1;
  title: string | null = null;
  readonly #writer: MarkdownWriter;
  readonly #sources: WordSources;
  readonly #table: TableReader;
  readonly #paragraphs: Paragraph[] = [];
  readonly #links: { target: string; start: number }[] = [];
  #skipping = 0;
  #inText = false;
  #inRun = 0;
  #inProperties = false;
  #isHidden = false;
  #hasTextOnPage = false;
  #isPageDue = false;
  #code: string[] = [];

  constructor(writer: MarkdownWriter, sources: WordSources) {
    this.#writer = writer;
    this.#sources = sources;
    this.#table = new TableReader(writer);
    if (sources.hasPages) writer.beginPage(1, null);
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipping > 0 || skipped.has(name)) {
      this.#skipping += 1;
      return;
    }
    const paragraph = this.#paragraphs.at(-1);
    if (name === "t") this.#inText = true;
    else if (name === "p") this.#openParagraph();
    else if (name === "r") {
      this.#inRun += 1;
      this.#isHidden = false;
    } else if (name === "tbl") this.#openTable();
    else if (name === "tr") this.#table.openRow();
    else if (name === "tc") this.#table.openCell();
    else if (name === "gridSpan") this.#table.span(attributes.number("val") ?? 1);
    else if (name === "vMerge" && attributes.get("val") !== "restart") this.#table.cover();
    else if (paragraph) this.#openInParagraph(name, attributes, paragraph);
  }

  close(name: string): void {
    if (this.#skipping > 0) {
      this.#skipping -= 1;
      return;
    }
    if (name === "t") this.#inText = false;
    else if (name === "r") this.#inRun -= 1;
    else if (name === "pPr") this.#inProperties = false;
    else if (name === "hyperlink") this.#closeLink();
    else if (name === "p") this.#closeParagraph();
    else if (name === "tc") this.#table.closeCell();
    else if (name === "tr") this.#table.closeRow();
    else if (name === "tbl") this.#table.closeTable();
  }

  text(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (!this.#inText || this.#skipping > 0 || this.#isHidden || !paragraph) return;
    paragraph.text += text;
    this.#hasTextOnPage = true;
  }

  /** Writes what is still held. */
  end(): void {
    this.#endCode();
    this.#writer.endBlock();
  }

  #openParagraph(): void {
    this.#paragraphs.push({ text: "", style: {}, heading: undefined, list: undefined });
  }

  #openInParagraph(name: string, attributes: Attributes, paragraph: Paragraph): void {
    const value = () => attributes.get("val") ?? "";
    if (name === "pPr") this.#inProperties = true;
    else if (name === "pStyle") {
      paragraph.style = this.#sources.styles.get(value()) ?? {};
      paragraph.list ??= paragraph.style.list;
    } else if (name === "outlineLvl") paragraph.heading = (attributes.number("val") ?? 9) + 1;
    else if (name === "ilvl") paragraph.list = { number: "0", level: attributes.number("val") ?? 0 };
    else if (name === "numId") paragraph.list = { number: value(), level: paragraph.list?.level ?? 0 };
    else if (name === "pageBreakBefore" && attributes.isOn("val")) this.#breakPage();
    else if (name === "vanish" && !this.#inProperties) this.#isHidden = attributes.isOn("val");
    else if (name === "hyperlink") this.#openLink(attributes, paragraph);
    else if (name === "lastRenderedPageBreak") this.#breakPage();
    else if (this.#inRun > 0) this.#openInRun(name, attributes, paragraph);
  }

  #openInRun(name: string, attributes: Attributes, paragraph: Paragraph): void {
    if (name === "tab") paragraph.text += "\t";
    else if (name === "cr") paragraph.text += "\n";
    else if (name === "br") {
      if (attributes.get("type") === "page") this.#breakPage();
      else paragraph.text += "\n";
    } else if (name === "noBreakHyphen") paragraph.text += "-";
    else if (name === "footnoteReference") paragraph.text += `[^${attributes.get("id") ?? ""}]`;
    else if (name === "endnoteReference") paragraph.text += `[^e${attributes.get("id") ?? ""}]`;
    else if (name === "docPr") {
      const description = attributes.get("descr")?.trim();
      if (description) paragraph.text += `[Picture: ${description.slice(0, 2000)}]`;
    }
  }

  /** A page ends only once: programs note the same break in more than one way. */
  #breakPage(): void {
    if (!this.#sources.hasPages || !this.#hasTextOnPage) return;
    this.#hasTextOnPage = false;
    this.page += 1;
    // The paragraph that goes over it belongs to where it began.
    if (this.#paragraphs.every(({ text }) => text.trim() === "")) this.#writer.beginPage(this.page, null);
    else this.#isPageDue = true;
  }

  #openLink(attributes: Attributes, paragraph: Paragraph): void {
    const relation = this.#sources.relations.get(attributes.get("r:id") ?? attributes.get("id") ?? "");
    const isAddress = relation?.isExternal === true && /^(https?|mailto):/i.test(relation.target);
    this.#links.push({ target: isAddress ? relation.target : "", start: paragraph.text.length });
  }

  #closeLink(): void {
    const link = this.#links.pop();
    const paragraph = this.#paragraphs.at(-1);
    if (!link || link.target === "" || !paragraph) return;
    const text = paragraph.text.slice(link.start);
    if (text.trim() === "" || link.target.includes(text.trim())) return;
    paragraph.text = `${paragraph.text.slice(0, link.start)}[${text.replaceAll("]", "")}](${link.target.replaceAll(/[\s)]/g, encodeURIComponent)})`;
  }

  #openTable(): void {
    this.#endCode();
    this.#table.openTable();
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (paragraph && !paragraph.style.isContents) this.#write(paragraph);
    if (!this.#isPageDue || this.#paragraphs.length > 0) return;
    this.#isPageDue = false;
    this.#writer.beginPage(this.page, null);
  }

  #write(paragraph: Paragraph): void {
    const heading = paragraph.heading ?? paragraph.style.heading ?? (paragraph.style.isTitle ? 1 : undefined);
    const marker = this.#marker(paragraph);
    const text = paragraph.text;
    if (this.#table.isInside) {
      if (text.trim() !== "") this.#table.addText(marker ? `${marker} ${text}` : text);
      return;
    }
    if (paragraph.style.isCode) {
      this.#code.push(text);
      if (this.#code.length >= 200) this.#endCode();
      return;
    }
    this.#endCode();
    if (text.trim() === "") return;
    if (paragraph.style.isTitle) this.title ??= text.trim().slice(0, 500);
    if (heading !== undefined && heading <= 9) this.#writer.heading(heading, marker ? `${marker} ${text}` : text);
    else if (paragraph.list && marker !== undefined) this.#writer.item(paragraph.list.level, marker || "-", text);
    else this.#writer.paragraph(text);
  }

  #marker(paragraph: Paragraph): string | undefined {
    const list = paragraph.list;
    if (!list || list.number === "0" || paragraph.text.trim() === "") return undefined;
    return this.#sources.numbering.next(list.number, Math.min(8, Math.max(0, list.level)));
  }

  #endCode(): void {
    this.#writer.code(this.#code.join("\n"));
    this.#code = [];
  }
}

/** Text of foot- or endnotes by their ids; those that only draw lines have none. */
export class WordNotes implements XmlHandler {
  readonly notes = new Map<string, string>();
  #id: string | undefined;
  #inText = false;
  #skipping = 0;

  open(name: string, attributes: Attributes): void {
    if (this.#skipping > 0 || skipped.has(name)) this.#skipping += 1;
    else if (name === "footnote" || name === "endnote") this.#id = attributes.get("id");
    else if (name === "t") this.#inText = true;
    else if (name === "p" || name === "tab" || name === "br") this.text(" ", true);
  }

  close(name: string): void {
    if (this.#skipping > 0) this.#skipping -= 1;
    else if (name === "footnote" || name === "endnote") this.#id = undefined;
    else if (name === "t") this.#inText = false;
  }

  text(text: string, isBlank = false): void {
    if (this.#id === undefined || this.#skipping > 0 || (!this.#inText && !isBlank)) return;
    const note = this.notes.get(this.#id) ?? "";
    if (note.length < maxNoteLength) this.notes.set(this.#id, note + text);
  }
}
