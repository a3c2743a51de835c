/** Bytes of a stream, taken on demand: at most one extra piece is in memory. */
export class ByteSource {
  readonly #stream: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);
  #isEnded = false;

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#stream = stream[Symbol.asyncIterator]();
  }

  /** Exactly so many bytes, or fewer where it ends. */
  async take(length: number): Promise<Buffer> {
    while (this.#held.length < length && (await this.#more()));
    return this.#cut(length);
  }

  /** The next so many bytes without taking them; fewer where it ends. */
  async peek(length: number): Promise<Buffer> {
    while (this.#held.length < length && (await this.#more()));
    return this.#held.subarray(0, length);
  }

  /** So many bytes in pieces; fewer where it ends. */
  async *takePieces(length: number): AsyncGenerator<Buffer, undefined> {
    let rest = length;
    while (rest > 0) {
      if (this.#held.length === 0 && !(await this.#more())) return;
      const piece = this.#cut(Math.min(rest, this.#held.length));
      rest -= piece.length;
      yield piece;
    }
  }

  /** What is held now; at least one byte unless it has ended. */
  async held(): Promise<Buffer> {
    if (this.#held.length === 0) await this.#more();
    return this.#held;
  }

  /** Puts what comes next to what is held. False at the end. */
  async extend(): Promise<boolean> {
    return this.#more();
  }

  /** Takes from what is held. */
  cut(length: number): Buffer {
    return this.#cut(length);
  }

  /** Reads the rest, and keeps nothing of it. */
  async drain(): Promise<void> {
    do this.#held = Buffer.alloc(0);
    while (await this.#more());
  }

  #cut(length: number): Buffer {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  async #more(): Promise<boolean> {
    if (this.#isEnded) return false;
    const { done, value } = await this.#stream.next();
    if (done) {
      this.#isEnded = true;
      return false;
    }
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    return true;
  }
}
