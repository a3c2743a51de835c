import description from "./snapshot.json";

const page = 4096;

/** What pyodide takes for the memory snapshot of Python: it reads its length and its head, and finds that all else is copied. */
export interface SnapshotView {
  bytes: Uint8Array;
  /**
   * Copies the snapshot into the memory of an interpreter, as it is unpacked: it is never whole anywhere else. Pages that hold only zeros
   * are not stored, and never touched.
   * @param memory requested once `before` has returned
   * @param before called with the length of that memory, in bytes
   */
  copy(memory: () => WebAssembly.Memory, before: (length: number) => void): Promise<void>;
}

/** @param packed the pages, as scripts/launch/build-python-assets.ts writes them */
export function makeSnapshotView(packed: ReadableStream<Uint8Array>): SnapshotView {
  const { length, numbers } = description;
  // The picture's own description stands in its first pages, and says where the memory begins.
  const head = new Uint8Array(2 * page);
  const pagesOfHead = numbers.filter((number) => number < 2).length;

  async function copy(memory: () => WebAssembly.Memory, before: (length: number) => void): Promise<void> {
    let target: Uint8Array | undefined;
    let start = 0;
    /** @param at place in the snapshot */
    const write = (bytes: Uint8Array, at: number) => {
      const skipped = Math.max(0, start - at);
      if (skipped < bytes.length) target!.set(bytes.subarray(skipped), at + skipped - start);
    };
    let read = 0;
    const take = (chunk: Uint8Array) => {
      for (let used = 0; used < chunk.length;) {
        const index = Math.floor(read / page);
        const inPage = read % page;
        const part = chunk.subarray(used, used + page - inPage);
        const at = numbers[index]! * page + inPage;
        if (index < pagesOfHead) head.set(part, at);
        else {
          if (!target) {
            start = new Uint32Array(head.buffer)[1]!;
            before(length - start);
            target = new Uint8Array(memory().buffer);
            write(head, 0);
          }
          write(part, at);
        }
        used += part.length;
        read += part.length;
      }
    };
    const stream = packed.pipeThrough(new DecompressionStream("gzip"));
    for (const reader = stream.getReader(); ;) {
      const { value } = await reader.read();
      if (!value) return;
      take(value as Uint8Array);
    }
  }

  const subarray = head.subarray.bind(head);
  Object.defineProperties(head, {
    length: { value: length },
    // Between two places: the description. From one on: everything, which is there already.
    subarray: { value: (from: number, end?: number) => (end === undefined ? new Uint8Array(0) : subarray(from, end)) },
  });
  return { bytes: head, copy };
}
