import { joinBytes } from "../../../../src/lib/join-bytes.ts";
import { DocumentError, type Format } from "../../document.ts";
import { countBytes } from "../../progress.ts";
import { maxMessageBytes } from "./mail.ts";
import { readMessage } from "./read-message.ts";

const separator = new TextEncoder().encode("\nFrom ");

/** Many e-mails in one file (mbox), one after the other. What is wrong with one of them costs only that one. */
export const mailboxFormat: Format = {
  async *read(document) {
    const { contentType, size } = document.facts;
    yield { type: "kind", contentType, unit: "bytes", total: size };
    const progress = countBytes(size);
    for await (const message of splitMailbox(progress.watch(document.stream()))) {
      try {
        if (!message) throw new DocumentError("file_too_large", "It is too large");
        yield* readMessage(message, document, 2);
      } catch (error) {
        if (!(error instanceof DocumentError)) throw error;
        yield { type: "text", text: `(A message could not be read: ${error.message}.)\n\n`, page: null, label: null };
      }
      yield* progress.news();
    }
  },
};

/** The messages without the lines that part them; undefined for one that is too large. */
async function* splitMailbox(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | undefined, undefined> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let isTooLarge = false;
  // What may be the beginning of a separator stays for the next round.
  let rest: Uint8Array = separator.subarray(0, 1);
  const add = (bytes: Uint8Array) => {
    length += bytes.length;
    isTooLarge ||= length > maxMessageBytes;
    if (isTooLarge) pieces = [];
    else pieces.push(bytes);
  };
  for await (const bytes of stream) {
    const all = joinBytes([rest, bytes]);
    const buffer = Buffer.from(all.buffer, all.byteOffset, all.byteLength);
    let at = 0;
    for (let found = buffer.indexOf(separator); found !== -1; found = buffer.indexOf(separator, found + 1)) {
      add(all.subarray(at, found));
      if (length > 1) yield isTooLarge ? undefined : withoutFirstLine(pieces);
      pieces = [];
      length = 0;
      isTooLarge = false;
      at = found + 1;
    }
    const end = Math.max(at, all.length - separator.length + 1);
    add(all.subarray(at, end));
    rest = all.slice(end);
  }
  add(rest);
  if (length > 1) yield isTooLarge ? undefined : withoutFirstLine(pieces);
}

function withoutFirstLine(pieces: readonly Uint8Array[]): Uint8Array {
  const message = joinBytes(pieces);
  const isParting = new TextDecoder("windows-1252").decode(message.subarray(0, 5)) === "From ";
  return isParting ? message.subarray(message.indexOf(10) + 1) : message;
}
