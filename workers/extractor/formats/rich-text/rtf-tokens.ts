import { DocumentError } from "../../document.ts";

/** What a reader of RTF is told. */
export interface RtfHandler {
  open(): void;
  close(): void;
  /** @param value undefined where the word has no number */
  word(word: string, value: number | undefined): void;
  /** `\*`: what follows may be left out by who does not know it. */
  optional(): void;
  /** One byte of text, in the code page of the font. */
  byte(value: number): void;
  /** One unit of UTF-16 that stands for itself. */
  char(text: string): void;
}

const maxDepth = 1000;
const maxWordLength = 40;

const backslash = 92;
const openBrace = 123;
const closeBrace = 125;

/** Cuts RTF into words, groups and text as it comes. Bytes after `\bin` are passed over. */
export class RtfTokens {
  readonly #handler: RtfHandler;
  #rest = Buffer.alloc(0);
  #binary = 0;
  #depth = 0;

  constructor(handler: RtfHandler) {
    this.#handler = handler;
  }

  /** Groups that are open. */
  get depth(): number {
    return this.#depth;
  }

  push(piece: Uint8Array, isLast: boolean): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    // The longest thing that must not be cut: a word with its number.
    const safe = isLast ? bytes.length : bytes.length - maxWordLength;
    let at = 0;
    while (at < safe) at = this.#one(bytes, at);
    this.#rest = Buffer.from(bytes.subarray(at));
  }

  #one(bytes: Uint8Array, at: number): number {
    if (this.#binary > 0) {
      const length = Math.min(this.#binary, bytes.length - at);
      this.#binary -= length;
      return at + length;
    }
    const byte = bytes[at]!;
    if (byte === openBrace) {
      this.#depth += 1;
      if (this.#depth > maxDepth) throw new DocumentError("file_too_complex", "Its parts are nested too deep");
      this.#handler.open();
    } else if (byte === closeBrace) {
      this.#depth -= 1;
      this.#handler.close();
    } else if (byte === backslash) return this.#control(bytes, at + 1);
    else if (byte !== 10 && byte !== 13 && byte !== 0) this.#handler.byte(byte);
    return at + 1;
  }

  #control(bytes: Uint8Array, at: number): number {
    const first = bytes[at] ?? 0;
    if (!isLetter(first)) return this.#symbol(bytes, at, first);
    let end = at;
    while (end < bytes.length && end - at < 32 && isLetter(bytes[end]!)) end += 1;
    const word = latin(bytes, at, end);
    const start = end;
    if (bytes[end] === 45) end += 1;
    while (end < bytes.length && end - start < 11 && isDigit(bytes[end]!)) end += 1;
    const number = Number.parseInt(latin(bytes, start, end), 10);
    const value = Number.isNaN(number) ? undefined : number;
    if (Number.isNaN(number)) end = start;
    if (bytes[end] === 32) end += 1;
    if (word === "bin") this.#binary = Math.max(0, value ?? 0);
    else this.#handler.word(word, value);
    return end;
  }

  #symbol(bytes: Uint8Array, at: number, symbol: number): number {
    if (symbol === 39) {
      const value = Number.parseInt(latin(bytes, at + 1, at + 3), 16);
      if (!Number.isNaN(value)) this.#handler.byte(value);
      return Math.min(bytes.length, at + 3);
    }
    const char = String.fromCharCode(symbol);
    if (char === "*") this.#handler.optional();
    else if (char === "~") this.#handler.char(" ");
    else if (char === "_") this.#handler.char("-");
    else if (char === "\n" || char === "\r") this.#handler.word("par", undefined);
    else if (char === "\\" || char === "{" || char === "}") this.#handler.byte(symbol);
    return at + 1;
  }
}

function latin(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

function isLetter(byte: number): boolean {
  return (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90);
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}
