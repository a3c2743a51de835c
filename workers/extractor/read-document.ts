import type { ExtractOptions } from "../../src/documents/files/extraction/extractor.ts";
import { sniffLength, sniffType } from "../../src/documents/files/sniff-type.ts";
import { joinBytes } from "../../src/lib/join-bytes.ts";
import { Document, DocumentError, type DocumentFacts, type Piece } from "./document.ts";
import { findFormat } from "./formats.ts";

/** So deep documents may lie in each other. */
const maxDepth = 3;

/** What the format that reads such documents makes of it. */
export async function* readDocument(
  body: ReadableStream<Uint8Array>,
  { filename, bytes: size, pictures, contentType: said }: ExtractOptions,
): AsyncGenerator<Piece, undefined> {
  const bytes = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  try {
    const head = await readHead(bytes);
    const contentType = sniffType(head, { filename, contentType: said });
    yield* read({ filename, contentType, size, pictures, depth: 0 }, head, bytes);
  } finally {
    await readToEnd(bytes);
  }
}

/**
 * What is left of it, unseen. An answer that ends before its question was read to the end would close the connection under whoever
 * still writes, and get lost.
 */
async function readToEnd(bytes: AsyncIterator<Uint8Array>): Promise<void> {
  try {
    for (;;) if ((await bytes.next()).done) return;
  } catch {
    // Nobody writes any more.
  }
}

async function* read(
  facts: DocumentFacts,
  head: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Piece, undefined> {
  if (head.length === 0) throw new DocumentError("file_empty", "It is empty");
  const format = await findFormat(facts.contentType);
  if (!format) throw new DocumentError("file_unsupported", `Files of the type ${facts.contentType} are not supported`);
  const document = new Document(facts, head, rest, (bytes, filename, contentType) =>
    readInner(bytes, { ...facts, filename, contentType, size: bytes.length, depth: facts.depth + 1 }),
  );
  yield* format.read(document);
}

/** A document in a document: its text and pictures, without what frames them. */
async function* readInner(bytes: Uint8Array, told: DocumentFacts): AsyncGenerator<Piece, undefined> {
  if (told.depth > maxDepth) throw new DocumentError("file_too_complex", "Documents are nested too deep");
  const head = bytes.subarray(0, sniffLength);
  const facts = { ...told, contentType: sniffType(head, told) };
  for await (const piece of read(facts, head, rest(bytes.subarray(sniffLength)))) {
    if (piece.type === "text" || piece.type === "picture") yield piece;
  }
}

async function* rest(bytes: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
  if (bytes.length > 0) yield bytes;
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
  return joinBytes(pieces);
}
