import { Unzip, UnzipInflate, type UnzipFile } from "fflate";
import { joinBytes } from "../../lib/join-bytes.ts";

/** Files of conversations in the zips of ChatGPT and Claude; large ones come in several. */
const conversations = /(^|\/)conversations(-\d+)?\.json$/;
/** The chats in the zip file of somebody's data (src/life/copy/), one in each line. */
const ownChats = /^chat\.jsonl$/;
const zipStart = [0x50, 0x4b, 0x03, 0x04];
/** Compressed bytes that are unpacked at once: deflate makes at most about a thousand times as many. */
const maxStep = 4096;

/**
 * The JSON documents of an export while it arrives: the file itself, or those of a zip as it was downloaded. Each has to be read to its end, or
 * left, before the next.
 * @throws SyntaxError for a zip that holds no conversations, or is broken
 */
export async function* openDocuments(body: AsyncIterable<Uint8Array>): AsyncGenerator<AsyncIterable<Uint8Array>> {
  const source = body[Symbol.asyncIterator]();
  const first = await firstBytes(source);
  if (zipStart.every((byte, at) => first[at] === byte)) yield* unzip(first, source);
  else yield chunks(first, source);
}

async function firstBytes(source: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const held: Uint8Array[] = [];
  for (let length = 0; length < zipStart.length;) {
    const { done, value } = await source.next();
    if (done) break;
    held.push(value);
    length += value.length;
  }
  return joinBytes(held);
}

async function* chunks(first: Uint8Array, source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first;
  yield* { [Symbol.asyncIterator]: () => source };
}

async function* unzip(first: Uint8Array, source: AsyncIterator<Uint8Array>): AsyncGenerator<AsyncIterable<Uint8Array>> {
  const zip = new ZipReader(chunks(first, source));
  let count = 0;
  for (let next = await zip.next(); next; next = await zip.next()) {
    count += 1;
    yield next;
  }
  if (count === 0) throw new SyntaxError("no conversations in the zip file");
}

/** Reads a zip piece by piece: only as much as somebody takes. */
class ZipReader {
  readonly #body: AsyncIterator<Uint8Array>;
  readonly #unzip = new Unzip((file) => this.#open(file));
  /** Pieces of documents in their order; null ends one. */
  readonly #pieces: (Uint8Array | null)[] = [];
  /** Documents that have begun and were not given out: whether each is JSON Lines. */
  readonly #begun: boolean[] = [];
  /** The chats of this product's own zip file are read: what comes after them may be any file, also another zip file. */
  #isEnough = false;
  #isOver = false;
  /** Of the piece of the body that is being unpacked. */
  #rest: Uint8Array = new Uint8Array();

  constructor(body: AsyncGenerator<Uint8Array>) {
    this.#body = body;
    this.#unzip.register(UnzipInflate);
  }

  async next(): Promise<AsyncIterable<Uint8Array> | undefined> {
    while (this.#begun.length === 0 && !this.#isOver) await this.#advance();
    const areLines = this.#begun.shift();
    if (areLines === undefined) return undefined;
    return areLines ? asList(this.#document()) : this.#document();
  }

  async *#document(): AsyncGenerator<Uint8Array> {
    let piece = await this.#take();
    try {
      for (; piece; piece = await this.#take()) yield piece;
    } finally {
      // Somebody has left it before its end.
      while (piece && !this.#isOver) piece = await this.#take();
    }
  }

  /** The next piece of the document; null at its end. */
  async #take(): Promise<Uint8Array | null> {
    while (this.#pieces.length === 0 && !this.#isOver) await this.#advance();
    const piece = this.#pieces.shift();
    if (piece === undefined) throw new SyntaxError("the zip file breaks off");
    return piece;
  }

  async #advance(): Promise<void> {
    if (this.#rest.length === 0) {
      const { done, value } = await this.#body.next();
      this.#isOver = done === true;
      if (done || this.#isEnough) return;
      this.#rest = value;
    }
    if (this.#isEnough) {
      this.#rest = new Uint8Array();
      return;
    }
    const step = this.#rest.subarray(0, maxStep);
    this.#rest = this.#rest.subarray(maxStep);
    try {
      this.#unzip.push(step);
    } catch (error) {
      throw new SyntaxError("the zip file is broken", { cause: error });
    }
  }

  #open(file: UnzipFile): void {
    const areLines = ownChats.test(file.name);
    if (this.#isEnough || (!areLines && !conversations.test(file.name))) return;
    this.#begun.push(areLines);
    file.ondata = (error, data, isFinal) => {
      if (error) throw error;
      if (data.length > 0) this.#pieces.push(data);
      if (isFinal) this.#pieces.push(null);
      if (isFinal && areLines) this.#isEnough = true;
    };
    file.start();
  }
}

const newline = 0x0a;

/** JSON Lines as one list. Within JSON no line ends. */
async function* asList(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode("[");
  let isBetween = false;
  for await (const piece of lines) {
    if (piece.length === 0) continue;
    const list = piece.map((byte) => (byte === newline ? 0x2c : byte));
    if (isBetween) yield new TextEncoder().encode(",");
    isBetween = piece.at(-1) === newline;
    yield isBetween ? list.subarray(0, -1) : list;
  }
  yield new TextEncoder().encode("]");
}
