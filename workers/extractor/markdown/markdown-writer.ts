import { DocumentError, type Piece } from "../document.ts";

/** Text is handed on in pieces of about so many characters. */
const pieceLength = 16_000;
/** Characters that may come of a few bytes of a file. Only what says how often something is repeated makes so many. */
const maxHeldLength = 24e6;

/**
 * Writes Markdown as a document is read, and notes which page what stands on. Nothing is marked as bold or escaped that does not
 * have to be: the text is searched and read by models, asterisks and backslashes would be in their way.
 */
export class MarkdownWriter {
  #pieces: (Piece & { type: "text" })[] = [];
  #text = "";
  #held = 0;
  #page: number | null = null;
  #label: string | null = null;
  #last: "nothing" | "block" | "item" | "row" = "nothing";

  /** Whether anything has been written since the page began. */
  get isEmpty(): boolean {
    return this.#text === "" && this.#pieces.length === 0;
  }

  /** From here on. A table or list may go on over it. */
  beginPage(page: number | null, label: string | null): void {
    this.#cut();
    this.#page = page;
    this.#label = label;
  }

  /** @param level 1 to 6; deeper ones become 6 */
  heading(level: number, text: string): void {
    const line = text.replaceAll(/\s+/g, " ").trim();
    if (line !== "") this.#block(`${"#".repeat(Math.min(6, Math.max(1, level)))} ${line}`);
  }

  paragraph(text: string): void {
    const tidy = tidyLines(text);
    if (tidy !== "") this.#block(escapeStart(tidy));
  }

  /** @param depth 0 for the outermost list @param marker such as "-" or "2." */
  item(depth: number, marker: string, text: string): void {
    const tidy = tidyLines(text);
    if (tidy === "") return;
    const indent = "  ".repeat(Math.min(8, depth));
    this.#begin("item");
    this.#write(`${indent}${marker} ${tidy.replaceAll("\n", `\n${indent}  `)}\n`);
  }

  /** Lines as they are. */
  code(text: string): void {
    if (text.trim() !== "") this.#block(`\`\`\`\n${text.replaceAll("```", "'''").replace(/\n+$/, "")}\n\`\`\``);
  }

  /** @param isHead the first of its table */
  row(cells: readonly string[], isHead: boolean): void {
    if (isHead) this.#endBlock();
    this.#begin("row");
    const line = `| ${cells.map(tidyCell).join(" | ")} |\n`;
    this.#write(isHead ? `${line}|${" --- |".repeat(cells.length)}\n` : line);
  }

  /** Markdown of another writer, with whole blocks. */
  raw(markdown: string): void {
    this.#endBlock();
    this.#write(markdown);
  }

  /** Ends a list or table, so that what comes next is not taken for a part of it. */
  endBlock(): void {
    this.#endBlock();
  }

  /** What has been written since it was asked for last. */
  take(): (Piece & { type: "text" })[] {
    this.#cut();
    this.#held = 0;
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  #block(text: string): void {
    this.#begin("block");
    this.#write(`${text}\n\n`);
  }

  #begin(kind: "block" | "item" | "row"): void {
    if (this.#last !== kind) this.#endBlock();
    this.#last = kind;
  }

  #endBlock(): void {
    if (this.#last === "item" || this.#last === "row") this.#write("\n");
    this.#last = "nothing";
  }

  #write(text: string): void {
    this.#text += text;
    if (this.#text.length > pieceLength) this.#cut();
  }

  #cut(): void {
    if (this.#text === "") return;
    this.#pieces.push({ type: "text", text: this.#text, page: this.#page, label: this.#label });
    this.#held += this.#text.length;
    this.#text = "";
    if (this.#held > maxHeldLength) throw new DocumentError("file_too_large", "It is too large when unpacked");
  }
}

/** Most texts are short and have nothing of it. */
const untidy = /[\t\n\r\f\v\u00a0\u202f\u2028\u2029]| {2}/;

/** Blanks at the ends of lines and empty lines are of no use; no-break spaces would keep words from being found. */
function tidyLines(text: string): string {
  if (!untidy.test(text)) return text.trim();
  return text
    .replaceAll(/[\t\u00a0\u202f ]+/g, " ")
    .replaceAll(/ ?\r?\n ?/g, "\n")
    .replaceAll(/\n{2,}/g, "\n")
    .trim();
}

function tidyCell(text: string): string {
  if (!untidy.test(text) && !text.includes("|")) return text.trim();
  return text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll("|", String.raw`\|`);
}

/** A paragraph is no heading or fence because of how it begins. */
function escapeStart(text: string): string {
  return !/[#`~]/.test(text) ? text : text.replaceAll(/^(#{1,6} |```|~~~)/gm, String.raw`\$1`);
}
