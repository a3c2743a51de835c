import type {
  ExtractEvent,
  ExtractOptions,
  FileFailure,
  Passage,
} from "../../src/documents/files/extraction/extractor.ts";
import { isPlainType } from "../../src/documents/files/text-types.ts";
import { DocumentError, type Piece } from "./document.ts";
import { joinText } from "./join-text.ts";
import { Chunker } from "./passages/chunker.ts";
import { readDocument } from "./read-document.ts";

/** UTF-16 units. */
const maxTextLength = 2 ** 30;

/** All that is to be said of a document; ends with `end` or `failed`, always. */
export async function* extract(
  body: ReadableStream<Uint8Array>,
  options: ExtractOptions,
): AsyncGenerator<ExtractEvent, undefined> {
  const place = new Place();
  try {
    yield* place.follow(joinText(readDocument(body, options)), options);
  } catch (error) {
    const failure = describe(error);
    // That there is no text is said of all of it.
    const message = failure.code === "file_no_text" ? failure.message : place.tell(failure.message);
    yield { type: "failed", code: failure.code, message };
  }
}

/** Where the reading of a document stands. */
class Place {
  #unit: "bytes" | "pages" | "slides" | "sheets" = "bytes";
  #total: number | null = null;
  #done = 0;

  /** Puts the passages to the pieces, checks that there was any text, and ends. */
  async *follow(pieces: AsyncIterable<Piece>, options: ExtractOptions): AsyncGenerator<ExtractEvent, undefined> {
    let chunker = new Chunker(options);
    let end: Piece & { type: "end" } = { type: "end", pages: null, title: null };
    let hasText = false;
    let hasPictures = false;
    let length = 0;
    for await (const piece of pieces) {
      if (piece.type === "end") {
        end = piece;
        continue;
      }
      if (piece.type === "kind") chunker = new Chunker(options, !isPlainType(piece.contentType));
      if (piece.type === "text") hasText ||= /\S/.test(piece.text);
      else this.#note(piece);
      hasPictures ||= piece.type === "picture";
      yield piece;
      if (piece.type !== "text") continue;
      length += piece.text.length;
      if (length > maxTextLength) throw new DocumentError("file_too_large", "It has more text than can be searched");
      if (!hasPictures) yield* some(chunker.push(piece.text, piece.page, piece.label));
    }
    if (!hasText && !hasPictures) throw new DocumentError("file_no_text", "No text was found in it");
    if (!hasPictures) yield* some(chunker.end());
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

function* some(passages: Passage[]): Generator<ExtractEvent, undefined> {
  if (passages.length > 0) yield { type: "passages", passages };
}

function describe(error: unknown): { code: FileFailure; message: string } {
  if (error instanceof DocumentError) return { code: error.code, message: error.message };
  // Stacks grow by what is nested in the document, arrays by what it claims of itself.
  if (error instanceof RangeError)
    return { code: "file_too_complex", message: "It is too large or too deeply nested to be read" };
  console.error("a document could not be read", error);
  return { code: "file_corrupt", message: "It is damaged, or not what it says it is" };
}
