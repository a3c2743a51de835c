import { snapshot } from "./snapshot.js";

const page = 4096;

/**
 * The memory snapshot of Python in pyodide's format. It is mostly zeros, so only non-empty pages are stored. Pyodide reads the head of
 * this array and copies the rest into its memory; here the pages are copied one by one, so that the snapshot is never in memory twice,
 * and zeros are never touched.
 * @param memory of the interpreter, requested once it exists
 * @param before called with the length of the picture before it is copied, in bytes
 */
export function makeSnapshotView(memory: () => WebAssembly.Memory, before: (length: number) => void): Uint8Array {
  const { length, numbers, pagesOfPart, parts } = snapshot;
  const bytesOf = (index: number) => {
    const start = (index % pagesOfPart) * page;
    const part = parts[Math.floor(index / pagesOfPart)]!;
    return new Uint8Array(part, start, Math.min(page, part.byteLength - start));
  };
  // Head and text of the picture's own description stand in its first pages.
  const head = new Uint8Array(2 * page);
  for (let index = 0; index < numbers.length && numbers[index]! < 2; index++)
    head.set(bytesOf(index), numbers[index]! * page);

  function copyFrom(start: number): void {
    before(length - start);
    const target = new Uint8Array(memory().buffer);
    for (let index = 0; index < numbers.length; index++) {
      const at = numbers[index]! * page - start;
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
