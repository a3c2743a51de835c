import type { ExtractEvent, FileFailure } from "../../src/documents/files/extraction/extractor.ts";

/** What a format makes of a document, in its order. `passages`, `failed` and the rest are made around it. */
export type Piece = Extract<ExtractEvent, { type: "kind" | "progress" | "text" | "picture" | "end" }>;

/** One kind of documents. */
export interface Format {
  /**
   * Reads one. Pulled: what is not asked for is not read. Begins with `kind`; `end` may be left out where there is neither a title
   * nor a number of pages.
   * @throws DocumentError for what is wrong with the document; anything else counts as damaged, too
   */
  read(document: Document): AsyncIterable<Piece>;
}

/** Something is wrong with the document, not with whoever reads it. The message is for people. */
export class DocumentError extends Error {
  readonly code: FileFailure;

  constructor(code: FileFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "DocumentError";
    this.code = code;
  }
}

export interface DocumentFacts {
  filename: string;
  /** By its content, see sniffType. */
  contentType: string;
  /** Bytes. */
  size: number;
  /** Whether somebody can read pictures. */
  pictures: boolean;
  /** In how many others it lies: attachments of mails. */
  depth: number;
}

/** The bytes of a document, which can be had once. */
export class Document {
  readonly facts: DocumentFacts;
  /** The first bytes, at most `sniffLength`. */
  readonly head: Uint8Array;
  /** Reads what lies inside of this one as a document of its own; see `readParts`. */
  readonly readInner: (bytes: Uint8Array, name: string, contentType: string) => AsyncIterable<Piece>;
  readonly #rest: AsyncIterator<Uint8Array>;

  constructor(
    facts: DocumentFacts,
    head: Uint8Array,
    rest: AsyncIterator<Uint8Array>,
    readInner: Document["readInner"],
  ) {
    this.facts = facts;
    this.head = head;
    this.#rest = rest;
    this.readInner = readInner;
  }

  /** All of it, as it comes. */
  async *stream(): AsyncGenerator<Uint8Array, undefined> {
    if (this.head.length > 0) yield this.head;
    for (;;) {
      const { done, value } = await this.#rest.next();
      if (done) return;
      yield value;
    }
  }

  /**
   * All of it at once.
   * @param limit bytes that this kind of document may have
   * @throws DocumentError file_too_large
   */
  async bytes(limit: number): Promise<Uint8Array<ArrayBuffer>> {
    const tooLarge = () =>
      new DocumentError(
        "file_too_large",
        `It is larger than the ${Math.floor(limit / 1e6)} MB limit for this type of file`,
      );
    if (this.facts.size > limit) throw tooLarge();
    // Of what is known to be so long there is never a second copy.
    let all = new Uint8Array(Math.max(this.facts.size, this.head.length));
    let length = 0;
    for await (const bytes of this.stream()) {
      if (length + bytes.length > limit) throw tooLarge();
      if (length + bytes.length > all.length) {
        const larger = new Uint8Array(Math.min(limit, Math.max(all.length * 2, length + bytes.length)));
        larger.set(all.subarray(0, length));
        all = larger;
      }
      all.set(bytes, length);
      length += bytes.length;
    }
    return all.subarray(0, length);
  }
}
