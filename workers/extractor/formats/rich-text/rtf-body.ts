import type { MarkdownWriter } from "../../markdown/markdown-writer.ts";
import { TableReader } from "../../markdown/table-reader.ts";
import { codePageOf, decodePage } from "./code-pages.ts";
import type { RtfHandler } from "./rtf-tokens.ts";

/** Where the text of a group belongs. */
type Place = "text" | "nowhere" | "fonts" | "styles" | "marker" | "title" | "note";

interface Group {
  place: Place;
  page: number;
  /** Bytes that stand after each `\u` for who does not know it. */
  fallback: number;
  isHidden: boolean;
  isOptional: boolean;
}

/** Groups with other things than text, or with text that stands elsewhere or on each page. */
const elsewhere = new Set(
  `colortbl pict objdata nonshppict shprslt header headerl headerr headerf footer footerl footerr footerf themedata
  colorschememapping datastore generator listtable listoverridetable revtbl rsidtbl xmlnstbl fldinst bkmkstart bkmkend annotation
  atnid atnauthor atndate atnref ftnsep ftnsepc aftnsep aftnsepc pgptbl latentstyles filetbl author operator keywords comment
  doccomm company manager category subject hlinkbase userprops password tc xe txe rxe sn sv falt panose fontemb mmathPr docvar
  wgrffmtfilter passwordhash`.split(/\s+/),
);

const chars: Record<string, string> = {
  tab: "\t",
  line: "\n",
  lbr: "\n",
  emdash: "—",
  endash: "–",
  emspace: " ",
  enspace: " ",
  qmspace: " ",
  bullet: "•",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
};

const maxNames = 5000;
const maxParagraphLength = 1_000_000;

/** Follows an RTF file and writes its text. */
export class RtfBody implements RtfHandler {
  title: string | null = null;
  readonly #writer: MarkdownWriter;
  readonly #table: TableReader;
  #group: Group = { place: "text", page: 1252, fallback: 1, isHidden: false, isOptional: false };
  readonly #groups: Group[] = [];
  #bytes: number[] = [];
  #skip = 0;
  #text = "";
  #defaultPage = 1252;
  readonly #fonts = new Map<number, number>();
  #font = 0;
  readonly #headings = new Map<number, number>();
  #style = 0;
  #name = "";
  #marker = "";
  #note = "";
  readonly #notes: string[] = [];
  #titleText = "";
  #paragraph = { style: 0, outline: undefined as number | undefined, level: 0, inTable: false };
  #inTable = false;
  #inRow = false;
  #hasCell = false;

  constructor(writer: MarkdownWriter) {
    this.#writer = writer;
    this.#table = new TableReader(writer);
  }

  open(): void {
    this.#flush();
    this.#groups.push(this.#group);
    this.#group = { ...this.#group, isOptional: false };
  }

  close(): void {
    this.#flush();
    const closed = this.#group;
    this.#group = this.#groups.pop() ?? closed;
    const left = closed.place === this.#group.place ? undefined : closed.place;
    if (closed.place === "styles") this.#endStyle();
    if (left === "note") this.#endNote();
    if (left === "title") this.title = this.#titleText.trim().slice(0, 500) || null;
  }

  optional(): void {
    this.#group.isOptional = true;
  }

  byte(value: number): void {
    if (this.#skip > 0) this.#skip -= 1;
    else if (this.#bytes.push(value) > 10_000) this.#flush();
  }

  char(text: string): void {
    if (this.#skip > 0) {
      this.#skip -= 1;
      return;
    }
    this.#flush();
    this.#append(text);
  }

  word(word: string, value: number | undefined): void {
    this.#flush();
    const group = this.#group;
    if (word === "u") {
      const code = value ?? 0;
      this.#append(String.fromCharCode(code < 0 ? code + 65_536 : code));
      this.#skip = group.fallback;
      return;
    }
    this.#skip = 0;
    if (group.place === "nowhere") return;
    if (elsewhere.has(word)) group.place = "nowhere";
    else if (this.#openPlace(word)) return;
    else if (group.isOptional && word !== "shpinst") group.place = "nowhere";
    else if (group.place === "fonts") this.#fontWord(word, value ?? 0);
    else if (group.place === "styles") this.#styleWord(word, value ?? 0);
    else if (!this.#formatWord(word, value)) this.#layoutWord(word, value ?? 0);
    group.isOptional = false;
  }

  /** Writes what is still held. */
  end(): void {
    this.#flush();
    this.#endParagraph();
    this.#endTable();
    this.#writer.endBlock();
    for (const [index, note] of this.#notes.entries()) this.#writer.paragraph(`[^${index + 1}]: ${note}`);
  }

  #openPlace(word: string): boolean {
    const places: Record<string, Place> = {
      fonttbl: "fonts",
      stylesheet: "styles",
      listtext: "marker",
      pntext: "marker",
      title: "title",
      footnote: "note",
    };
    const place = Object.hasOwn(places, word) ? places[word] : undefined;
    if (place === undefined) return false;
    this.#group.place = place;
    if (place === "marker") this.#marker = "";
    if (place === "note") {
      this.#text += `[^${this.#notes.length + 1}]`;
      this.#note = "";
    }
    return true;
  }

  #fontWord(word: string, value: number): void {
    if (word === "f") this.#font = value;
    const page = word === "fcharset" ? codePageOf(value) : word === "cpg" ? value : undefined;
    if (page !== undefined && this.#fonts.size < maxNames) this.#fonts.set(this.#font, page);
  }

  #styleWord(word: string, value: number): void {
    if (word === "s") this.#style = value;
    if (word === "outlinelevel" && value < 9 && this.#headings.size < maxNames)
      this.#headings.set(this.#style, value + 1);
    if (word === "cs" || word === "ts") this.#style = -1;
  }

  /** Styles end like `heading 1;`. */
  #endStyle(): void {
    const heading = /^\s*heading ([1-9])\s*;/i.exec(this.#name);
    if (heading && this.#headings.size < maxNames) this.#headings.set(this.#style, Number(heading[1]));
    if (/^\s*title\s*;/i.test(this.#name)) this.#headings.set(this.#style, 1);
    this.#name = "";
    this.#style = 0;
  }

  #endNote(): void {
    if (this.#note.trim() !== "") this.#notes.push(this.#note.trim());
  }

  #formatWord(word: string, value: number | undefined): boolean {
    const group = this.#group;
    if (word === "ansicpg") group.page = this.#defaultPage = value ?? 1252;
    else if (word === "mac") group.page = this.#defaultPage = 10_000;
    else if (word === "f") group.page = this.#fonts.get(value ?? 0) ?? this.#defaultPage;
    else if (word === "uc") group.fallback = Math.min(16, Math.max(0, value ?? 1));
    else if (word === "v" || word === "deleted") group.isHidden = value !== 0;
    else if (word === "plain") {
      group.isHidden = false;
      group.page = this.#defaultPage;
    } else if (Object.hasOwn(chars, word)) this.#append(chars[word]!);
    else return false;
    return true;
  }

  #layoutWord(word: string, value: number): void {
    if (this.#group.place === "note") {
      if (word === "par") this.#note += " ";
      return;
    }
    if (this.#group.place !== "text") return;
    if (word === "par" || word === "sect" || word === "page") this.#endParagraph();
    else if (word === "pard") this.#paragraph = { style: 0, outline: undefined, level: 0, inTable: false };
    else if (word === "s") this.#paragraph.style = value;
    else if (word === "outlinelevel") this.#paragraph.outline = value;
    else if (word === "ilvl") this.#paragraph.level = value;
    else if (word === "intbl") this.#paragraph.inTable = true;
    else if (word === "cell" || word === "nestcell") this.#endCell();
    else if (word === "row" || word === "nestrow") this.#endRow();
  }

  #append(text: string): void {
    const { place, isHidden } = this.#group;
    if (place === "nowhere" || place === "fonts" || (place === "text" && isHidden)) return;
    if (place === "styles") this.#name = (this.#name + text).slice(0, 200);
    else if (place === "marker") this.#marker = (this.#marker + text).slice(0, 50);
    else if (place === "title") this.#titleText = (this.#titleText + text).slice(0, 1000);
    else if (place === "note") this.#note = (this.#note + text).slice(0, 20_000);
    else {
      this.#text += text;
      if (this.#text.length > maxParagraphLength) this.#endParagraph();
    }
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    this.#append(decodePage(this.#bytes, this.#group.page));
    this.#bytes = [];
  }

  #endParagraph(): void {
    const text = this.#text;
    this.#text = "";
    const marker = this.#marker.trim();
    this.#marker = "";
    const { style, outline, level, inTable } = this.#paragraph;
    if (inTable) {
      if (text.trim() !== "") this.#openCell();
      this.#table.addText(marker === "" ? text : `${tidyMarker(marker)} ${text}`);
      return;
    }
    this.#endTable();
    if (text.trim() === "") return;
    const heading = outline !== undefined && outline < 9 ? outline + 1 : this.#headings.get(style);
    if (heading !== undefined) this.#writer.heading(heading, marker === "" ? text : `${marker} ${text}`);
    else if (marker === "") this.#writer.paragraph(text);
    else this.#writer.item(Math.min(8, Math.max(0, level)), tidyMarker(marker), text);
  }

  #openCell(): void {
    if (!this.#inTable) this.#table.openTable();
    this.#inTable = true;
    if (!this.#inRow) this.#table.openRow();
    this.#inRow = true;
    if (!this.#hasCell) this.#table.openCell();
    this.#hasCell = true;
  }

  #endCell(): void {
    this.#openCell();
    if (this.#text !== "") this.#table.addText(this.#text);
    this.#text = "";
    this.#marker = "";
    this.#table.closeCell();
    this.#hasCell = false;
  }

  #endRow(): void {
    if (this.#inRow) this.#table.closeRow();
    this.#inRow = false;
    this.#hasCell = false;
  }

  #endTable(): void {
    this.#endRow();
    if (this.#inTable) this.#table.closeTable();
    this.#inTable = false;
  }
}

/** Numbers stay as they are; all the dots and arrows are one. */
function tidyMarker(marker: string): string {
  return /^[\p{L}\p{N}(]/u.test(marker) && !/^o$/.test(marker) ? marker : "-";
}
