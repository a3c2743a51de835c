import type { ChunkOptions, Passage } from "../../../src/documents/files/extraction/extractor.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { isDivider, Outline, plainTitle, readFence, readHeading, readUnderline } from "./outline.ts";
import { splitSentences, wholeCharacter } from "./split-sentences.ts";

/** What stays together as long as it can: a line, or a sentence of a long one. */
interface Unit {
  text: string;
  start: number;
  headings: string[];
  /** Whether a cut before it is a good one: a paragraph, a heading or a table begins. */
  isFresh: boolean;
  isHeading: boolean;
  /** What a passage that begins with it gets put before it: the header of the table that it is a row of. */
  header: string;
}

/** Pages that are named by a number say nothing that belongs to the headings. */
const numeral = /^[\s\divxlcdm.,–-]*$/i;

/**
 * Cuts a text into passages as it comes: between sections first, then between paragraphs, lines and sentences. Every passage lies
 * on one page. Holds one passage and one line at a time, and looks at every character a bounded number of times.
 */
export class Chunker {
  readonly #size: number;
  readonly #overlap: number;
  readonly #isMarkdown: boolean;
  /** Below this a section is not worth a passage of its own. */
  readonly #small: number;
  #page: number | null = null;
  #label: string | null = null;
  /** Where the next line begins. */
  #at = 0;
  /** What came of that line so far. */
  #line: string[] = [];
  #lineLength = 0;
  /** The passage in the making. Its first units may be the end of the one before it. */
  #units: Unit[] = [];
  #length = 0;
  /** How many of the units have been in a passage already. */
  #repeated = 0;
  readonly #outline = new Outline();
  #headings: string[] = [];
  #fence: string | undefined;
  #previous: "blank" | "row" | "text" = "blank";
  #header = "";
  /** Whether the current paragraph has but one line so far. */
  #isFirstLine = false;

  /** @param isMarkdown whether lines may be headings, tables and fences */
  constructor({ size, overlap }: ChunkOptions, isMarkdown = true) {
    this.#size = size;
    this.#overlap = Math.min(overlap, Math.floor(size / 2));
    this.#small = Math.floor(size / 4);
    this.#isMarkdown = isMarkdown;
  }

  /**
   * The next piece of the text, on this page.
   * @returns the passages that are complete now
   */
  push(text: string, page: number | null, label: string | null): Passage[] {
    const passages: Passage[] = [];
    if (page !== this.#page || label !== this.#label) this.#turnPage(page, label, passages);
    // A longer line is read like several, wherever the pieces of the text end.
    const maxLength = this.#size * 8;
    let lineEnd = text.indexOf("\n");
    for (let from = 0; from < text.length;) {
      if (lineEnd !== -1 && lineEnd < from) lineEnd = text.indexOf("\n", from);
      const stop = lineEnd === -1 ? text.length : lineEnd + 1;
      const maxEnd = from + maxLength - this.#lineLength;
      const end = stop > maxEnd ? wholeCharacter(text, maxEnd) : stop;
      if (end < stop || lineEnd !== -1) this.#endLine(text.slice(from, end), passages);
      else this.#keep(text.slice(from, end));
      from = end;
    }
    return passages;
  }

  end(): Passage[] {
    const passages: Passage[] = [];
    if (this.#lineLength > 0) this.#endLine("", passages);
    this.#cut(this.#units.length, passages);
    return passages;
  }

  #keep(text: string): void {
    this.#line.push(text);
    this.#lineLength += text.length;
  }

  #turnPage(page: number | null, label: string | null, passages: Passage[]): void {
    if (this.#lineLength > 0) this.#endLine("", passages);
    const last = this.#units.findLast(({ text }) => !isBlank(text));
    const isRunningOn = page !== null && page - 1 === this.#page && last !== undefined && isInSentence(last);
    this.#cut(this.#units.length, passages);
    this.#begin(isRunningOn ? this.#units : []);
    this.#page = page;
    if (label !== this.#label && !(isNumeral(label) && isNumeral(this.#label))) this.#outline.clear();
    this.#label = label;
    this.#header = "";
    this.#previous = "blank";
    this.#noteHeadings();
  }

  #endLine(end: string, passages: Passage[]): void {
    const line = this.#line.length === 0 ? end : [...this.#line, end].join("");
    this.#line = [];
    this.#lineLength = 0;
    if (line === "") return;
    if (!this.#isMarkdown) this.#addLine(line, this.#previous === "blank", passages);
    else this.#readLine(line, passages);
    this.#previous = isBlank(line) ? "blank" : this.#isMarkdown && line.trimStart().startsWith("|") ? "row" : "text";
  }

  #readLine(line: string, passages: Passage[]): void {
    const isFresh = this.#previous === "blank";
    const isBelowFirst = this.#isFirstLine;
    this.#isFirstLine = false;
    const fence = readFence(line);
    if (fence !== undefined) {
      if (this.#fence === undefined) this.#fence = fence;
      else if (fence.startsWith(this.#fence)) this.#fence = undefined;
      return this.#addLine(line, isFresh && this.#fence !== undefined, passages);
    }
    if (this.#fence !== undefined) return this.#addLine(line, isFresh, passages);
    const heading = readHeading(line);
    if (heading) return this.#enterSection(heading.level, heading.title, line, passages);
    if (line.trimStart().startsWith("|")) return this.#addRow(line, passages);
    this.#header = "";
    const level = isBelowFirst ? readUnderline(line) : undefined;
    const title = this.#units.at(-1);
    if (level !== undefined && title?.isFresh && readUnderline(title.text) === undefined) {
      // The line before was a heading, though nobody could know.
      this.#units.pop();
      this.#length -= title.text.length;
      this.#at = title.start;
      this.#enterSection(level, title.text.trim(), title.text, passages);
      return this.#addLine(line, false, passages);
    }
    this.#isFirstLine = isFresh && !isBlank(line);
    this.#addLine(line, isFresh, passages);
  }

  #enterSection(level: number, title: string, line: string, passages: Passage[]): void {
    this.#header = "";
    const before = this.#headings;
    this.#outline.enter(level, title);
    this.#noteHeadings();
    // A short section goes on with the next one, unless that is about something else.
    const isRelated = this.#headings.length > 1 && this.#headings[0] === before[0];
    const isShort = this.#length < this.#small && (isRelated || this.#isOnlyHeadings());
    if (!isShort) {
      this.#cut(this.#units.length, passages);
      this.#begin([]);
    }
    this.#addUnit(line, true, "", passages, true);
  }

  #addRow(line: string, passages: Passage[]): void {
    const above = this.#units.at(-1);
    if (this.#previous === "row" && this.#header === "" && above && isDivider(line)) {
      this.#header = `${above.text.trimEnd()}\n${line.trimEnd()}\n`;
      if (this.#header.length > this.#size) this.#header = "";
      // It has its header already.
      return this.#addUnit(line, false, "", passages);
    }
    const longest = this.#previous === "row" ? this.#header : "";
    if (line.length <= this.#size) return this.#addUnit(line, this.#previous !== "row", longest, passages);
    for (const piece of splitSentences(line, this.#small)) this.#addUnit(piece, false, longest, passages);
  }

  #addLine(line: string, isFresh: boolean, passages: Passage[]): void {
    if (line.length <= this.#small) return this.#addUnit(line, isFresh, "", passages);
    let isFirst = isFresh;
    for (const piece of splitSentences(line, this.#small)) {
      this.#addUnit(piece, isFirst, "", passages);
      isFirst = false;
    }
  }

  #addUnit(text: string, isFresh: boolean, header: string, passages: Passage[], isHeading = false): void {
    const room = Math.max(this.#half, this.#size - (this.#units[0]?.header.length ?? 0));
    if (this.#length + text.length > room && this.#units.length > this.#repeated) {
      this.#cut(this.#bestCut(isFresh, room), passages);
      // What was kept, or repeated, may leave no room for a long unit.
      if (this.#length + text.length > room) {
        if (this.#units.length > this.#repeated) this.#cut(this.#units.length, passages);
        if (this.#length + text.length > room) this.#dropRepeated();
      }
    }
    this.#units.push({ text, start: this.#at, headings: this.#headings, isFresh, isHeading, header });
    this.#length += text.length;
    this.#at += text.length;
  }

  /** Before which unit the passage ends: a fresh one, if that leaves it half as long as it may be; else the one that comes. */
  #bestCut(isNextFresh: boolean, room: number): number {
    if (isNextFresh) return this.#units.length;
    // What is new in it counts, or there would be many passages with little of their own.
    let length = this.#units.slice(this.#repeated).reduce((sum, { text }) => sum + text.length, 0);
    for (let at = this.#units.length - 1; at > this.#repeated; at--) {
      length -= this.#units[at]!.text.length;
      if (length < room / 2) break;
      if (this.#units[at]!.isFresh) return at;
    }
    return this.#units.length;
  }

  /** Makes a passage of the first units; the others, and the end of it once more, begin the next. */
  #cut(count: number, passages: Passage[]): void {
    const taken = this.#units.slice(0, count);
    const kept = this.#units.slice(count);
    if (count <= this.#repeated) return;
    const passage = this.#passage(taken);
    if (passage) passages.push(passage);
    this.#begin(kept[0]?.header || taken.at(-1)?.header ? [] : this.#tail(taken));
    for (const unit of kept) {
      this.#units.push(unit);
      this.#length += unit.text.length;
    }
  }

  /** The next passage. @param repeated units that were in the one before it */
  #begin(repeated: Unit[]): void {
    this.#units = [...repeated];
    this.#repeated = repeated.length;
    this.#length = repeated.reduce((sum, { text }) => sum + text.length, 0);
  }

  /** The end of a passage that the next one repeats: whole lines or sentences, or at least whole words. */
  #tail(units: readonly Unit[]): Unit[] {
    const tail: Unit[] = [];
    let left = this.#overlap;
    for (const unit of units.toReversed()) {
      if (unit.text.length > left) {
        if (tail.length === 0) tail.push(...lastWords(unit, left));
        break;
      }
      tail.unshift(unit);
      left -= unit.text.length;
    }
    return isBlank(tail.map(({ text }) => text).join("")) ? [] : tail;
  }

  #dropRepeated(): void {
    for (const { text } of this.#units.splice(0, this.#repeated)) this.#length -= text.length;
    this.#repeated = 0;
  }

  #passage(units: readonly Unit[]): Passage | undefined {
    const [first] = units;
    const whole = units.map(({ text }) => text).join("");
    const body = whole.trimEnd();
    const text = body.trimStart();
    // Blank lines after what was in the passage before are nothing new.
    const isNew = units.slice(this.#repeated).some((unit) => !isBlank(unit.text));
    if (first === undefined || !isNew) return undefined;
    const start = first.start + body.length - text.length;
    const full = first.header + text;
    return {
      text: full,
      headings: commonHeadings(units.slice(this.#repeated)),
      page: this.#page,
      label: this.#label,
      start,
      end: start + text.length,
      tokens: estimateTokens(full),
    };
  }

  /** Whether nothing but headings stands in the passage so far: they belong to what they stand above. */
  #isOnlyHeadings(): boolean {
    return this.#units.every(({ text, isHeading }) => isHeading || isBlank(text));
  }

  #noteHeadings(): void {
    const { titles } = this.#outline;
    const name = this.#label === null || isNumeral(this.#label) ? [] : [plainTitle(this.#label)];
    this.#headings = titles[0] === name[0] ? titles : [...name, ...titles];
  }

  get #half(): number {
    return Math.ceil(this.#size / 2);
  }
}

function lastWords({ text, start, headings }: Unit, length: number): Unit[] {
  const from = text.length - length;
  const space = text.slice(from).search(/\s\S/);
  const at = space === -1 ? wholeCharacter(text, from) : from + space + 1;
  // An end without a space is an end of something that has no words, or too long ones.
  if (length === 0 || at >= text.length) return [];
  return [{ text: text.slice(at), start: start + at, headings, isFresh: false, isHeading: false, header: "" }];
}

/** The headings that all of it stands below; headings themselves count only where there is nothing else. */
function commonHeadings(units: readonly Unit[]): string[] {
  const content = units.filter(({ text, isHeading }) => !isHeading && !isBlank(text));
  const [first, ...others] = content.length > 0 ? content : units;
  let common = first?.headings ?? [];
  for (const { headings } of others) {
    const other = common.findIndex((title, at) => headings[at] !== title);
    if (other !== -1) common = common.slice(0, other);
  }
  return common;
}

/** Whether a text stops there without having come to an end. */
function isInSentence({ text, isHeading, header }: Unit): boolean {
  return !isHeading && header === "" && /[\p{L}\p{N},\-–]\s*$/u.test(text.slice(-20));
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

function isNumeral(label: string | null): boolean {
  return label === null || numeral.test(label);
}
