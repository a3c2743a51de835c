/** A value of the list, as its JSON text, or why it is invalid. */
export type SplitItem = { text: string } | { refused: "too large" | "not UTF-8" };

/** How a document ended. */
export interface SplitEnd {
  /** Whether it was one complete list or object. */
  complete: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const opening = (byte: number) => byte === 0x5b || byte === 0x7b;
const closing = (byte: number) => byte === 0x5d || byte === 0x7d;
/** A byte order mark is skipped (RFC 8259, section 8.1). */
const isMark = (byte: number) => byte === 0xef || byte === 0xbb || byte === 0xbf;
const blank = (byte: number) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

/**
 * The values of a JSON list while it arrives, so that a file of any size needs only the memory of its largest value; a
 * document that is one object is one value. Only brackets and strings are examined: the reader validates the JSON. Each
 * byte is examined once.
 * @param largest bytes of one value; larger ones are skipped and reported
 * @throws SyntaxError for anything except a list or an object
 */
export async function* splitItems(
  body: AsyncIterable<Uint8Array>,
  maxItemBytes: number,
): AsyncGenerator<SplitItem, SplitEnd> {
  const item = new ItemBytes(maxItemBytes);
  let kind: "list" | "object" | undefined;
  let isOver = false;
  /** Open brackets within the value. */
  let depth = 0;
  let inText = false;
  let isEscaped = false;
  for await (const chunk of body) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (inText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) inText = false;
        continue;
      }
      if (kind === undefined) {
        if (blank(byte) || isMark(byte)) continue;
        if (!opening(byte)) throw new SyntaxError("neither a list nor an object");
        kind = byte === 0x5b ? "list" : "object";
        start = kind === "list" ? at + 1 : at;
        depth = kind === "list" ? 0 : 1;
        continue;
      }
      if (isOver) {
        if (!blank(byte)) return { complete: false };
        continue;
      }
      if (byte === quote) inText = true;
      else if (opening(byte)) depth += 1;
      else if (closing(byte) && depth > 0) {
        depth -= 1;
        if (depth > 0 || kind === "list") continue;
        item.add(chunk.subarray(start, at + 1));
        isOver = true;
        yield* item.take();
      } else if (depth === 0 && (byte === comma || closing(byte))) {
        item.add(chunk.subarray(start, at));
        start = at + 1;
        isOver = byte !== comma;
        yield* item.take();
      }
    }
    if (kind !== undefined && !isOver) item.add(chunk.subarray(start));
  }
  return { complete: isOver };
}

/** The bytes of one value, from one or more chunks. */
class ItemBytes {
  readonly #maxItemBytes: number;
  #parts: Uint8Array[] = [];
  #length = 0;

  constructor(maxItemBytes: number) {
    this.#maxItemBytes = maxItemBytes;
  }

  add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > this.#maxItemBytes) this.#parts = [];
    else if (bytes.length > 0) this.#parts.push(bytes);
  }

  /** The value, if there was one; then the next one begins. */
  *take(): Generator<SplitItem> {
    const parts = this.#parts;
    const isTooLarge = this.#length > this.#maxItemBytes;
    this.#parts = [];
    this.#length = 0;
    if (isTooLarge) {
      yield { refused: "too large" };
      return;
    }
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
    try {
      const text = parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
      if (text.trim() !== "") yield { text };
    } catch {
      yield { refused: "not UTF-8" };
    }
  }
}
