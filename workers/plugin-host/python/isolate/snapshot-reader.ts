const page = 4096;
/** Of the one buffer that everything comes through. */
const bufferSize = 64 * page;

/**
 * The memory snapshot of Python, as it arrives. It is mostly zeros, and a file on the edge may have at most 25 MiB, so only
 * non-empty pages are stored: u32 length, then u32 number of pages, their numbers (u32 each), then their bytes
 * (scripts/launch/build-python-assets.ts). The pages go straight from the stream to where they belong, so no isolate ever
 * holds a second copy, and zeros are never touched.
 */
export class SnapshotReader {
  readonly #reader: ReadableStreamBYOBReader;
  /** What was read and not used yet; its buffer is used again for what comes next. */
  #rest = new Uint8Array(0);
  #buffer = new ArrayBuffer(bufferSize);
  #length = 0;
  #numbers = new Uint32Array(0);
  /** Pages that were taken from the stream. */
  #taken = 0;
  readonly #head = new Uint8Array(2 * page);

  private constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader({ mode: "byob" });
  }

  /** Reads what pyodide wants to know before it makes its memory. @throws Error for a file that ends too early */
  static async open(stream: ReadableStream<Uint8Array>): Promise<SnapshotReader> {
    const reader = new SnapshotReader(stream);
    const sizes = new Uint8Array(8);
    await reader.#fill(sizes);
    const [length = 0, count = 0] = new Uint32Array(sizes.buffer);
    reader.#length = length;
    const numbers = new Uint8Array(4 * count);
    await reader.#fill(numbers);
    reader.#numbers = new Uint32Array(numbers.buffer);
    for (let number = reader.#numbers[0]; number !== undefined && number < 2; number = reader.#numbers[reader.#taken]) {
      await reader.#fill(reader.#head.subarray(number * page, (number + 1) * page));
      reader.#taken++;
    }
    return reader;
  }

  /**
   * What pyodide takes for the snapshot. It looks at the description in the first pages, and copies the rest into its
   * memory, where everything is already after `restore`.
   */
  get view(): Uint8Array {
    const view = this.#head.slice();
    const subarray = view.subarray.bind(view);
    Object.defineProperties(view, {
      length: { value: this.#length },
      // Between two places: the description. From one on: everything.
      subarray: {
        value: (start: number, end?: number) => (end === undefined ? new Uint8Array(0) : subarray(start, end)),
      },
    });
    return view;
  }

  /** Puts the pages into the memory of an interpreter that has just been made. */
  async restore(memory: WebAssembly.Memory): Promise<void> {
    /** Where the memory begins in the picture. */
    const [, start = 0] = new Uint32Array(this.#head.buffer, 0, 2);
    const target = new Uint8Array(memory.buffer);
    /** @param at of the bytes in the picture */
    const put = (bytes: Uint8Array, at: number) => {
      const from = Math.max(0, start - at);
      if (from < bytes.length) target.set(bytes.subarray(from, this.#length - at), at + from - start);
    };
    put(this.#head, 0);
    const split = new Uint8Array(page);
    while (this.#taken < this.#numbers.length) {
      if (this.#rest.length < page) {
        // This one comes in two parts.
        await this.#fill(split);
        put(split, (this.#numbers[this.#taken++] ?? 0) * page);
        continue;
      }
      put(this.#rest.subarray(0, page), (this.#numbers[this.#taken++] ?? 0) * page);
      this.#rest = this.#rest.subarray(page);
    }
    await this.#reader.cancel();
  }

  async #fill(target: Uint8Array): Promise<void> {
    for (let filled = 0; filled < target.length;) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#reader.read(new Uint8Array(this.#buffer));
        if (done) throw new Error("The picture of Python's memory is cut off");
        this.#rest = value;
        this.#buffer = value.buffer as ArrayBuffer;
      }
      const part = this.#rest.subarray(0, target.length - filled);
      target.set(part, filled);
      filled += part.length;
      this.#rest = this.#rest.subarray(part.length);
    }
  }
}
