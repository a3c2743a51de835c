import { wholeCharacter } from "./split-sentences.ts";

/** Longer lines are no headings. */
const maxHeadingLength = 500;
/** What of a heading is said with every passage below it. */
const maxTitleLength = 200;
const headingPattern = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const underlinePattern = /^ {0,3}(?:=+|-{2,})\s*$/;
const dividerPattern = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$/;

/** A heading of Markdown (`## Title`), with `level` from 1; undefined for other lines. */
export function readHeading(line: string): { level: number; title: string } | undefined {
  if (line.length > maxHeadingLength || !line.trimStart().startsWith("#")) return undefined;
  const [, marks = "", title = ""] = headingPattern.exec(line.trimEnd()) ?? [];
  return marks === "" ? undefined : { level: marks.length, title: plainTitle(title.replace(/[ \t]#+$/, "")) };
}

/** The level of the heading that a line makes of the one above it (`====`, `----`). */
export function readUnderline(line: string): number | undefined {
  if (line.length > maxHeadingLength || !underlinePattern.test(line)) return undefined;
  return line.includes("=") ? 1 : 2;
}

/** Whether it is the line below the header of a table: `|---|:--|`. */
export function isDivider(line: string): boolean {
  return line.length < 10_000 && line.includes("|") && dividerPattern.test(line.trim());
}

/** The mark that opens or closes a block of code, or undefined. */
export function readFence(line: string): string | undefined {
  return /^ {0,3}(`{3,}|~{3,})/.exec(line.slice(0, 100))?.[1];
}

/** What a reader sees of it, or of its beginning. */
export function plainTitle(title: string): string {
  const plain = withoutMarks(title);
  return plain.length > maxTitleLength ? `${plain.slice(0, wholeCharacter(plain, maxTitleLength - 1))}…` : plain;
}

function withoutMarks(title: string): string {
  if (!/[[*_`\\]/.test(title)) return title.trim();
  return title
    .replaceAll(/!?\[([^\][]{0,200})\]\([^()\s]{0,300}\)/g, "$1")
    .replaceAll(/\*\*|__|`/g, "")
    .replaceAll(/\\([\\`*_{}[\]()#+\-.!|<>])/g, "$1")
    .trim();
}

/** The headings above a place. */
export class Outline {
  #stack: { level: number; title: string }[] = [];

  get titles(): string[] {
    return this.#stack.map(({ title }) => title);
  }

  enter(level: number, title: string): void {
    this.#stack = [...this.#stack.filter((above) => above.level < level), { level, title }];
  }

  clear(): void {
    this.#stack = [];
  }
}
