import { isObject } from "../read-values.ts";

/** A line of a file of records: an object, or why it is none. */
export type Line = { value: Record<string, unknown> } | { reason: string };

const newline = 0x0a;

/**
 * The objects of JSON Lines while they arrive. However long a line is, no more of it is kept than may be read.
 * @param maxBytes of one line
 */
export async function* jsonLines(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  let held: Uint8Array[] = [];
  let size = 0;
  const take = (piece: Uint8Array) => {
    size += piece.length;
    if (size <= maxBytes) held.push(piece);
    else held = [];
  };
  const end = (): Line | undefined => {
    const [pieces, length] = [held, size];
    held = [];
    size = 0;
    if (length === 0) return undefined;
    return length > maxBytes ? { reason: "It is too large to send" } : readLine(pieces);
  };
  for await (const piece of body) {
    let start = 0;
    for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, start)) {
      take(piece.subarray(start, at));
      start = at + 1;
      const line = end();
      if (line) yield line;
    }
    // What comes next may be written into the same memory.
    if (start < piece.length) take(piece.slice(start));
  }
  const last = end();
  if (last) yield last;
}

function readLine(pieces: readonly Uint8Array[]): Line | undefined {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  try {
    const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
    if (text.trim() === "") return undefined;
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { value } : { reason: "It is not a record" };
  } catch {
    return { reason: "It is not JSON" };
  }
}
