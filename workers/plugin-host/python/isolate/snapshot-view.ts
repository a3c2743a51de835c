import packed from "./snapshot.bin";

const page = 4096;

/**
 * The memory snapshot of Python in pyodide's format. It is mostly zeros, and a file on the edge may have at most 25
 * MiB, so only non-empty pages are stored: u32 length, then u32 number of pages, their numbers (u32 each), then their
 * bytes. Pyodide reads the head of this array and copies the rest into its memory; here the pages are copied one by
 * one, so that the snapshot is never in memory twice, and zeros are never touched.
 * @param memory of the interpreter, requested once it exists
 */
export function makeSnapshotView(memory: () => WebAssembly.Memory): Uint8Array {
  const view = new DataView(packed);
  const length = view.getUint32(0, true);
  const count = view.getUint32(4, true);
  const bytesOf = (index: number) => new Uint8Array(packed, 8 + 4 * count + index * page, page);
  // Head and text of the picture's own description stand in its first pages.
  const head = new Uint8Array(2 * page);
  for (let index = 0; index < count && numberOf(index) < 2; index++) head.set(bytesOf(index), numberOf(index) * page);

  function numberOf(index: number): number {
    return view.getUint32(8 + 4 * index, true);
  }

  function copyFrom(start: number): void {
    const target = new Uint8Array(memory().buffer);
    for (let index = 0; index < count; index++) {
      const at = numberOf(index) * page - start;
      const source = bytesOf(index);
      if (at >= 0) target.set(at + page > target.length ? source.subarray(0, target.length - at) : source, at);
      else if (at > -page) target.set(source.subarray(-at), 0);
    }
  }

  const subarray = head.subarray.bind(head);
  Object.defineProperties(head, {
    length: { value: length },
    subarray: {
      value: (start: number, end?: number) => {
        // Between two places: the description. From one on: everything.
        if (end !== undefined) return subarray(start, end);
        copyFrom(start);
        return new Uint8Array(0);
      },
    },
  });
  return head;
}
