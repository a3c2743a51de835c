import { Refusal } from "./refusal.ts";
import { parseHead, type RequestHead } from "./request-head.ts";

/** What was found, in its order. */
export type Part =
  | { kind: "head"; head: RequestHead }
  /** Of the body as it goes on: with the lines between chunks, without trailers. */
  | { kind: "body"; bytes: Buffer }
  | { kind: "end" }
  /** Behind a request for a WebSocket: no longer HTTP if it is accepted. */
  | { kind: "raw"; bytes: Buffer }
  /** Nothing comes after it. */
  | { kind: "refusal"; refusal: Refusal };

export type Place = "between" | "head" | "body" | "raw" | "refused";

export const maxHeadBytes = 65_536;
/** How far the first line is looked at in a head that is refused. */
const maxShownHead = 4096;
/** Of a chunk's size: 16 TB. */
const maxSizeDigits = 11;

const CR = 13;
const LF = 10;
const lineEnd = Buffer.from("\r\n");

/** Finds the requests in the bytes of one connection. The parts do not depend on how the bytes are cut. */
export class RequestReader {
  #place: Place = "between";
  /** Of an unfinished head: what came with earlier bytes. */
  #pieces: Buffer[] = [];
  #lines = new Lines(new Refusal(431, `The head of the request has more than ${maxHeadBytes} bytes.`));
  /** How much is left of a body of known length, or of a chunk. */
  #left = 0;
  #chunks: Chunks | undefined;
  #target: string | undefined;

  /** Where the bytes so far have led. */
  get place(): Place {
    return this.#place;
  }

  /** What the request asks for that was read last, as far as its head has come. */
  get target(): string | undefined {
    return this.#place === "head" ? targetIn(this.#pieces) : this.#target;
  }

  read(bytes: Buffer): Part[] {
    const parts: Part[] = [];
    let at = 0;
    try {
      while (at < bytes.length) at = this.#step(bytes, at, parts);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (this.#place === "head") this.#target = targetIn([...this.#pieces, bytes.subarray(at)]);
      this.#place = "refused";
      parts.push({ kind: "refusal", refusal: error });
    }
    return parts;
  }

  /** @returns up to where the bytes are dealt with */
  #step(bytes: Buffer, at: number, parts: Part[]): number {
    switch (this.#place) {
      case "between":
      case "head":
        return this.#readHead(bytes, at, parts);
      case "body":
        return this.#chunks ? this.#readChunks(this.#chunks, bytes, at, parts) : this.#readLength(bytes, at, parts);
      case "raw":
        parts.push({ kind: "raw", bytes: bytes.subarray(at) });
        return bytes.length;
      case "refused":
        return bytes.length;
    }
  }

  #readHead(bytes: Buffer, at: number, parts: Part[]): number {
    this.#place = "head";
    const end = this.#lines.findEmpty(bytes, at);
    this.#pieces.push(bytes.subarray(at, end ?? bytes.length));
    if (end === undefined) return bytes.length;
    const whole = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    // Some clients send an empty line after a body.
    const isEmpty = whole.length === lineEnd.length;
    const head = isEmpty ? undefined : parseHead(whole.toString("latin1", 0, whole.length - 2 * lineEnd.length));
    this.#pieces = [];
    this.#lines.reset();
    this.#place = "between";
    if (head === undefined) return end;
    this.#target = head.target;
    parts.push({ kind: "head", head });
    if (head.upgrades) this.#place = "raw";
    else if (head.length === 0) parts.push({ kind: "end" });
    else {
      this.#place = "body";
      if (head.length === "chunked") this.#chunks = new Chunks();
      else this.#left = head.length;
    }
    return end;
  }

  #readLength(bytes: Buffer, at: number, parts: Part[]): number {
    const end = Math.min(at + this.#left, bytes.length);
    this.#left -= end - at;
    parts.push({ kind: "body", bytes: bytes.subarray(at, end) });
    if (this.#left === 0) this.#end(parts);
    return end;
  }

  #readChunks(chunks: Chunks, bytes: Buffer, at: number, parts: Part[]): number {
    const end = chunks.read(bytes, at, (some) => parts.push({ kind: "body", bytes: some }));
    if (chunks.isOver) this.#end(parts);
    return end;
  }

  #end(parts: Part[]): void {
    this.#chunks = undefined;
    this.#place = "between";
    parts.push({ kind: "end" });
  }
}

/** The second word of a head's first line, whatever is wrong with the rest. */
function targetIn(pieces: readonly Buffer[]): string | undefined {
  const text = Buffer.concat(pieces).toString("latin1", 0, maxShownHead);
  return /^\S+ (\S+)/.exec(text)?.[1];
}

/** Looks for the empty line after header lines, which end with CR and LF only. */
class Lines {
  readonly #tooLong: Refusal;
  #length = 0;
  #inLine = 0;
  #afterCr = false;

  constructor(tooLong: Refusal) {
    this.#tooLong = tooLong;
  }

  reset(): void {
    this.#length = 0;
    this.#inLine = 0;
    this.#afterCr = false;
  }

  /** @returns where the empty line ends, if it is there */
  findEmpty(bytes: Buffer, from: number): number | undefined {
    let inLine = this.#inLine;
    let afterCr = this.#afterCr;
    const most = from + maxHeadBytes - this.#length;
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (at >= most) throw this.#tooLong;
      if ((byte === LF) !== afterCr)
        throw new Refusal(400, "A line of the head does not end with carriage return and line feed.");
      if (byte === 0) throw new Refusal(400, "The head of the request has a null byte.");
      if (byte === LF) {
        if (inLine === 0) return at + 1;
        inLine = 0;
      } else if (byte !== CR) inLine++;
      afterCr = byte === CR;
    }
    this.#inLine = inLine;
    this.#afterCr = afterCr;
    this.#length += bytes.length - from;
    return undefined;
  }
}

/** A chunked body (RFC 9112, 7.1) without extensions, which nobody uses but attackers. */
class Chunks {
  #place: "size" | "size end" | "data" | "data CR" | "data LF" | "trailers" | "over" = "size";
  #digits = "";
  #left = 0;
  readonly #trailers = new Lines(new Refusal(431, `The trailers have more than ${maxHeadBytes} bytes.`));

  get isOver(): boolean {
    return this.#place === "over";
  }

  /** @returns where the body ends, or how far the bytes go */
  read(bytes: Buffer, from: number, pass: (bytes: Buffer) => void): number {
    let at = from;
    try {
      while (at < bytes.length && this.#place !== "trailers") at = this.#step(bytes, at);
    } finally {
      if (at > from) pass(bytes.subarray(from, at));
    }
    if (this.#place !== "trailers" || at === bytes.length) return at;
    const end = this.#trailers.findEmpty(bytes, at);
    if (end === undefined) return bytes.length;
    // Trailers stay here: workerd would take them for the next request.
    pass(lineEnd);
    this.#place = "over";
    return end;
  }

  #step(bytes: Buffer, at: number): number {
    const byte = bytes[at]!;
    switch (this.#place) {
      case "size": {
        const digit = String.fromCharCode(byte);
        if (byte === CR && this.#digits !== "") this.#place = "size end";
        else if (/[\da-f]/i.test(digit) && this.#digits.length < maxSizeDigits) this.#digits += digit;
        else throw new Refusal(400, "The size of a chunk is not a hexadecimal number.");
        return at + 1;
      }
      case "size end":
        expectByte(byte, LF);
        this.#left = Number.parseInt(this.#digits, 16);
        this.#digits = "";
        this.#place = this.#left === 0 ? "trailers" : "data";
        return at + 1;
      case "data": {
        const end = Math.min(at + this.#left, bytes.length);
        this.#left -= end - at;
        if (this.#left === 0) this.#place = "data CR";
        return end;
      }
      case "data CR":
        expectByte(byte, CR);
        this.#place = "data LF";
        return at + 1;
      default:
        expectByte(byte, LF);
        this.#place = "size";
        return at + 1;
    }
  }
}

function expectByte(byte: number, expected: number): void {
  if (byte !== expected) throw new Refusal(400, "A chunk does not end where its size says.");
}
