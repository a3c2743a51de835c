import type { ExtractEvent, ExtractOptions, FileFailure } from "../../src/files/extraction/extractor.ts";
import { sniffLength, sniffType } from "../../src/files/sniff-type.ts";
import { Document, DocumentError, type DocumentFacts, type Piece } from "./document.ts";
import { findFormat } from "./formats.ts";
import { Chunker } from "./passages/chunker.ts";

/** So deep documents may lie in each other. */
const maxDepth = 3;

/** All that is to be said of a document; ends with `end` or `failed`, always. */
export async function* extract(
  body: ReadableStream<Uint8Array>,
  options: ExtractOptions,
): AsyncGenerator<ExtractEvent, undefined> {
  const place = new Place();
  try {
    yield* place.follow(readBody(body, options), new Chunker(options));
  } catch (error) {
    const failure = describe(error);
    yield { type: "failed", code: failure.code, message: place.tell(failure.message) };
  }
}

async function* readBody(body: ReadableStream<Uint8Array>, options: ExtractOptions): AsyncGenerator<Piece, undefined> {
  const { filename, size, pictures } = options;
  const bytes = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  try {
    const head = await readHead(bytes);
    const contentType = sniffType(head, { filename, contentType: options.contentType });
    yield* read({ filename, contentType, size, pictures, depth: 0 }, head, bytes);
  } finally {
    await bytes.return?.();
  }
}

async function* read(
  facts: DocumentFacts,
  head: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Piece, undefined> {
  if (head.length === 0) throw new DocumentError("file_empty", "There is nothing in it");
  const format = await findFormat(facts.contentType);
  if (!format)
    throw new DocumentError("file_unsupported", `Files of the type ${facts.contentType} cannot be read here`);
  const document = new Document(facts, head, rest, (bytes, filename, contentType) =>
    readInner(bytes, { ...facts, filename, contentType, size: bytes.length, depth: facts.depth + 1 }),
  );
  yield* format.read(document);
}

/** A document in a document: its text and pictures, without what frames them. */
async function* readInner(bytes: Uint8Array, told: DocumentFacts): AsyncGenerator<Piece, undefined> {
  if (told.depth > maxDepth) throw new DocumentError("file_too_complex", "Documents lie too deep in each other");
  const head = bytes.subarray(0, sniffLength);
  const rest = [bytes.subarray(sniffLength)].filter(({ length }) => length > 0);
  const facts = { ...told, contentType: sniffType(head, told) };
  for await (const piece of read(facts, head, toAsync(rest))) {
    if (piece.type === "text" || piece.type === "picture") yield piece;
  }
}

/** At least `sniffLength` bytes, where there are so many. */
async function readHead(bytes: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < sniffLength) {
    const { done, value } = await bytes.next();
    if (done) break;
    pieces.push(value);
    length += value.length;
  }
  if (pieces.length === 1) return pieces[0]!;
  const head = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    head.set(piece, at);
    at += piece.length;
  }
  return head;
}

async function* toAsync<T>(items: readonly T[]): AsyncGenerator<T, undefined> {
  yield* items;
}

/** Where the reading of a document stands. */
class Place {
  #unit: "bytes" | "pages" | "slides" | "sheets" = "bytes";
  #total: number | null = null;
  #done = 0;

  /** Puts the passages to the pieces, checks that there was any text, and ends. */
  async *follow(pieces: AsyncIterable<Piece>, chunker: Chunker): AsyncGenerator<ExtractEvent, undefined> {
    let end: Piece & { type: "end" } = { type: "end", pages: null, title: null };
    let hasText = false;
    let hasPictures = false;
    for await (const piece of pieces) {
      if (piece.type === "end") {
        end = piece;
        continue;
      }
      if (piece.type === "text") hasText ||= piece.text.trim() !== "";
      else this.#note(piece);
      hasPictures ||= piece.type === "picture";
      yield piece;
      if (piece.type !== "text" || hasPictures) continue;
      const passages = chunker.push(piece.text, piece.page, piece.label);
      if (passages.length > 0) yield { type: "passages", passages };
    }
    if (!hasText && !hasPictures) throw new DocumentError("file_no_text", "No text was found in it");
    const passages = hasPictures ? [] : chunker.end();
    if (passages.length > 0) yield { type: "passages", passages };
    yield end;
  }

  /** Says how far it came, where that is of any help. */
  tell(message: string): string {
    if (this.#unit === "bytes" || this.#done === 0) return message;
    const unit = this.#unit.slice(0, -1);
    const of = this.#total === null ? "" : ` of ${this.#total}`;
    return `Stopped after ${unit} ${this.#done}${of}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
  }

  #note(piece: Piece): void {
    if (piece.type === "kind") this.#unit = piece.unit;
    if (piece.type === "progress") this.#done = piece.done;
    if (piece.type === "kind" || piece.type === "progress") this.#total = piece.total;
  }
}

function describe(error: unknown): { code: FileFailure; message: string } {
  if (error instanceof DocumentError) return { code: error.code, message: error.message };
  // Stacks grow by what is nested in the document, arrays by what it claims of itself.
  if (error instanceof RangeError)
    return { code: "file_too_complex", message: "It is too large or too deeply nested to be read" };
  console.error("a document could not be read", error);
  return { code: "file_corrupt", message: "It is damaged, or not what it says it is" };
}
