import { formatNumber } from "../../markdown/format-number.ts";
import type { MarkdownWriter } from "../../markdown/markdown-writer.ts";
import { TableReader } from "../../markdown/table-reader.ts";
import type { Attributes } from "../../xml/attributes.ts";
import type { XmlHandler } from "../../xml/read-xml.ts";
import { closeLink, type OpenLink } from "../close-link.ts";

interface Paragraph {
  text: string;
  heading: number | undefined;
  style: string;
}

interface List {
  style: string;
  count: number;
}

/** Deleted text, remarks of readers, and lists of contents, which repeat what stands elsewhere. */
const skipped = new Set([
  "tracked-changes",
  "annotation",
  "table-of-content",
  "alphabetical-index",
  "illustration-index",
  "table-index",
  "note-citation",
  "forms",
  "ruby-text",
]);

/** Reads the content of an OpenDocument text or presentation and writes it as Markdown. */
export class OpenDocumentBody implements XmlHandler {
  page = 1;
  /** Number of pages or slides; 0 if the program did not mark them. */
  pages = 0;
  title: string | null = null;
  readonly #writer: MarkdownWriter;
  readonly #table: TableReader;
  readonly #isSlides: boolean;
  readonly #paragraphs: Paragraph[] = [];
  readonly #lists: List[] = [];
  readonly #notes: { id: string; text: string }[] = [];
  readonly #numbered = new Map<string, string>();
  readonly #titles = new Set<string>();
  readonly #links: OpenLink[] = [];
  #listStyle = "";
  #note: { id: string; text: string } | undefined;
  #skipping = 0;
  #cellRepeat: number[] = [];
  #isFirstOfItem = false;
  #frame = "";
  #slideName = "";
  #hasTitle = false;
  #inNotes = false;
  #description: string | undefined;

  constructor(writer: MarkdownWriter, isSlides: boolean, hasPages: boolean) {
    this.#writer = writer;
    this.#table = new TableReader(writer);
    this.#isSlides = isSlides;
    if (!isSlides && hasPages) {
      this.pages = 1;
      writer.beginPage(1, null);
    }
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipping > 0 || skipped.has(name)) {
      this.#skipping += 1;
      return;
    }
    switch (name) {
      case "p":
      case "h":
        this.#paragraphs.push({
          text: "",
          heading: name === "h" ? (attributes.number("outline-level") ?? 1) : undefined,
          style: attributes.get("text:style-name") ?? "",
        });
        return;
      case "list":
        this.#lists.push({
          style: attributes.get("text:style-name") ?? this.#lists.at(-1)?.style ?? "",
          count: (attributes.number("start-value") ?? 1) - 1,
        });
        return;
      case "list-item":
        this.#isFirstOfItem = true;
        if (this.#lists.length > 0) this.#lists.at(-1)!.count += 1;
        return;
      case "table":
        this.#table.openTable();
        return;
      case "table-row":
        this.#table.openRow();
        return;
      case "table-cell":
      case "covered-table-cell":
        this.#table.openCell();
        if (name === "covered-table-cell") this.#table.cover();
        this.#cellRepeat.push(attributes.number("number-columns-repeated") ?? 1);
        return;
      default:
        this.#openOther(name, attributes);
    }
  }

  close(name: string): void {
    if (this.#skipping > 0) {
      this.#skipping -= 1;
      return;
    }
    if (name === "p" || name === "h") this.#closeParagraph();
    else if (name === "list") this.#closeList();
    else if (name === "table-cell" || name === "covered-table-cell") this.#table.closeCell(this.#cellRepeat.pop());
    else if (name === "table-row") this.#table.closeRow();
    else if (name === "table") this.#table.closeTable();
    else if (name === "note") this.#note = undefined;
    else if (name === "a") closeLink(this.#links.pop(), this.#paragraphs.at(-1));
    else if (name === "frame") this.#frame = "";
    else if (name === "notes") this.#inNotes = false;
    else if (name === "page") this.#closeSlide();
    else if (name === "desc") this.#closeDescription();
  }

  text(text: string): void {
    if (this.#skipping > 0) return;
    if (this.#description !== undefined) this.#description += text;
    // Spaces and line ends in the file are one space: what is meant to be more has elements of its own.
    else this.#append(text.replaceAll(/\s+/g, " "));
  }

  /** Writes the notes of the text. */
  end(): void {
    this.#writer.endBlock();
    for (const { id, text } of this.#notes) this.#writer.paragraph(`[^${id}]: ${text.trim()}`);
  }

  #openOther(name: string, attributes: Attributes): void {
    if (name === "s") this.#append(" ".repeat(Math.min(100, Math.max(1, attributes.number("c") ?? 1))));
    else if (name === "tab") this.#append("\t");
    else if (name === "line-break") this.#append("\n");
    else if (name === "soft-page-break") this.#breakPage();
    else if (name === "note") this.#openNote(attributes);
    else if (name === "a") this.#openLink(attributes);
    else if (name === "page") this.#openSlide(attributes);
    else if (name === "notes") this.#openNotes();
    else if (name === "frame") this.#frame = attributes.get("presentation:class") ?? "";
    else if (name === "desc") this.#description = "";
    else if (name === "list-style") this.#listStyle = attributes.get("style:name") ?? "";
    else if (name === "list-level-style-number" && this.#numbered.size < 20_000)
      this.#numbered.set(
        `${this.#listStyle}/${attributes.number("level") ?? 1}`,
        `${attributes.get("num-format") ?? "1"}${attributes.get("num-suffix") ?? "."}`,
      );
    else if (name === "style" && attributes.get("parent-style-name") === "Title")
      this.#titles.add(attributes.get("style:name") ?? "");
  }

  #append(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph) paragraph.text += text;
  }

  #openNote(attributes: Attributes): void {
    const id = `${attributes.get("note-class") === "endnote" ? "e" : ""}${this.#notes.length + 1}`;
    this.#append(`[^${id}]`);
    this.#note = { id, text: "" };
    this.#notes.push(this.#note);
  }

  #openLink(attributes: Attributes): void {
    const target = attributes.get("href") ?? "";
    this.#links.push({
      target: /^(https?|mailto):/i.test(target) ? target : "",
      start: this.#paragraphs.at(-1)?.text.length ?? 0,
    });
  }

  #closeDescription(): void {
    const description = this.#description?.trim();
    this.#description = undefined;
    if (!description) return;
    const text = `[Picture: ${description.slice(0, 2000)}]`;
    if (this.#paragraphs.length > 0) this.#append(text);
    else this.#writer.paragraph(text);
  }

  #breakPage(): void {
    if (this.#isSlides || this.pages === 0) return;
    this.page += 1;
    this.pages += 1;
    this.#writer.beginPage(this.page, null);
  }

  #openSlide(attributes: Attributes): void {
    this.pages += 1;
    this.page = this.pages;
    this.#writer.beginPage(this.page, `Slide ${this.page}`);
    // What the program calls it where nobody did is of no use to anybody.
    const name = attributes.get("draw:name") ?? "";
    this.#slideName = /^(page|slide)? ?\d+$/i.test(name) ? "" : name;
    this.#hasTitle = false;
  }

  #closeSlide(): void {
    this.#writer.endBlock();
  }

  #openNotes(): void {
    this.#writer.endBlock();
    this.#inNotes = true;
  }

  #closeList(): void {
    this.#lists.pop();
    if (this.#lists.length === 0 && !this.#table.isInside) this.#writer.endBlock();
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    const text = paragraph?.text ?? "";
    if (!paragraph || text.trim() === "") return;
    if (this.#note) {
      if (this.#note.text.length < 20_000) this.#note.text += `${text} `;
      return;
    }
    if (this.#table.isInside) return this.#table.addText(text);
    if (this.#isSlides && this.#writeOnSlide(text)) return;
    const isTitle = paragraph.style === "Title" || this.#titles.has(paragraph.style);
    if (isTitle) this.title ??= text.trim().slice(0, 500);
    const heading = paragraph.heading ?? (isTitle ? 1 : undefined);
    if (heading !== undefined) this.#writer.heading(heading, text);
    else if (this.#lists.length > 0) this.#writeItem(text);
    else this.#writer.paragraph(text);
  }

  /** The title is a heading wherever it stands; a slide without one is called by its number. */
  #writeOnSlide(text: string): boolean {
    if (this.#inNotes) {
      this.#writer.paragraph(`Notes: ${text}`);
      return true;
    }
    const isTitle = this.#frame === "title";
    if (!this.#hasTitle) this.#writer.heading(1, isTitle ? text : this.#slideName || `Slide ${this.page}`);
    const wasFirst = !this.#hasTitle;
    this.#hasTitle = true;
    return isTitle && wasFirst;
  }

  #writeItem(text: string): void {
    const depth = this.#lists.length - 1;
    const list = this.#lists[depth]!;
    const numbered = this.#numbered.get(`${list.style}/${depth + 1}`);
    const marker =
      numbered === undefined ? "-" : `${formatNumber(list.count, numbered.charAt(0))}${numbered.slice(1) || "."}`;
    // Further paragraphs of an item belong to it without a marker of their own.
    if (this.#isFirstOfItem) this.#writer.item(depth, marker, text);
    else this.#writer.item(depth + 1, "", text);
    this.#isFirstOfItem = false;
  }
}
