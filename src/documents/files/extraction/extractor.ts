/** What reads documents: a Worker of its own, without a network, a database or secrets. What verbs know of it. */

/** Why a file has no text. Stable, machine readable; the words for people go with it. */
export const fileFailures = [
  /** There is nothing in it. */
  "file_empty",
  /** It was read, and holds no text: pictures, scans. */
  "file_no_text",
  /** It asks for a password. */
  "file_encrypted",
  /** It is damaged, or not what it says it is. */
  "file_corrupt",
  /** Nobody here reads this kind. */
  "file_unsupported",
  /** It is too large when unpacked: a zip bomb, or as good as one. */
  "file_too_large",
  /** Reading it took too much memory. */
  "file_too_complex",
  /** Reading or embedding did not come to an end in time. */
  "file_timeout",
  /** The external reader or the vision model refused or could not be reached. */
  "reader_failed",
  /** The embedding model refused or could not be reached, for long. */
  "embedding_failed",
  /** Internal error. The cause is in the log. */
  "internal_error",
] as const;
export type FileFailure = (typeof fileFailures)[number];

/** One passage as it will be found; see `fileChunks` for the fields. Offsets are in the whole text. */
export interface Passage {
  text: string;
  headings: string[];
  page: number | null;
  label: string | null;
  start: number;
  end: number;
  tokens: number;
}

export interface ChunkOptions {
  /** Characters of a passage, and of what it repeats of the one before. */
  size: number;
  overlap: number;
}

/** A page, slide, sheet or chapter of a text that is there already; `start` and `end` are offsets in it. */
export interface PageMark {
  page: number | null;
  label: string | null;
  start: number;
  end: number;
}

export interface ExtractOptions extends ChunkOptions {
  filename: string;
  /** What the sender said it is; the content decides. */
  contentType: string;
  /** How many bytes it has; `size` is that of the passages. */
  bytes: number;
  /** Whether pictures of pages without text are wanted, because there is somebody who can read them. */
  pictures: boolean;
}

/** What comes back while a document is read, in its order. */
export type ExtractEvent =
  /** First. `total` is null where it is not known before the end. */
  | { type: "kind"; contentType: string; unit: "bytes" | "pages" | "slides" | "sheets"; total: number | null }
  | { type: "progress"; done: number; total: number | null }
  /** The next piece of the text (Markdown). All of them joined are the text; a page may come in several. */
  | { type: "text"; text: string; page: number | null; label: string | null }
  /** Passages of the text so far; not where `pictures` came: then the text is incomplete, and `chunk` makes them. */
  | { type: "passages"; passages: Passage[] }
  /** A page or a picture without text, as an image: stands where it comes in the text. */
  | { type: "picture"; page: number | null; contentType: string; base64: string }
  /** Last. `pages` is null where there are none. */
  | { type: "end"; pages: number | null; title: string | null }
  /** Last, instead. `message` is for people, and says how far it came: "Stopped at page 12 of 40: the file is damaged". */
  | { type: "failed"; code: FileFailure; message: string };

export interface Extractor {
  /**
   * Reads a document as a stream. Never throws for what is wrong with the document: that is the last event. What is wrong with
   * the extractor itself (it died, it could not be reached) throws ExtractorLost.
   * @param body of `options.bytes` bytes
   * @param signal ends it, on one machine with its process if need be
   */
  extract(body: ReadableStream<Uint8Array>, options: ExtractOptions, signal: AbortSignal): AsyncIterable<ExtractEvent>;
  /** Cuts a text (UTF-8) that is there already. `pages` in order; empty where there are none. */
  chunk(
    text: ReadableStream<Uint8Array>,
    pages: readonly PageMark[],
    options: ChunkOptions,
    signal: AbortSignal,
  ): AsyncIterable<Passage[]>;
  /**
   * Finds centres of vectors (k-means), for the cells of an index. CPU for seconds: that is why it is done there.
   * @param vectors float32, little endian, one after the other
   * @returns `count` centres in the same form
   */
  cluster(vectors: Uint8Array, options: { dimension: number; count: number }, signal: AbortSignal): Promise<Uint8Array>;
}

/** The extractor ended in the middle, or could not be reached: the same document may do better, or kill it again. */
export class ExtractorLost extends Error {
  /** What is known of why. */
  readonly reason: "memory" | "time" | "unreachable";

  constructor(reason: ExtractorLost["reason"], options?: ErrorOptions) {
    super(`The extractor was lost: ${reason}`, options);
    this.name = "ExtractorLost";
    this.reason = reason;
  }
}
