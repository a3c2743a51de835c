import type { Piece } from "./document.ts";

/** Bytes between two reports. */
const reportEvery = 1e6;

/** Reports how much of a stream has been read. */
export function countBytes(total: number) {
  let done = 0;
  let reported = 0;
  return {
    /** The same bytes, counted as they are taken. */
    async *watch(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
      for await (const bytes of stream) {
        done += bytes.length;
        yield bytes;
      }
    },
    /** What there is to report just now. */
    *news(): Generator<Piece, undefined> {
      if (done - reported < reportEvery) return;
      reported = done;
      yield { type: "progress", done, total };
    },
  };
}
