import { createHash, type Hash } from "node:crypto";
import type { Blobs } from "../../ports.ts";

/** All parts but the last have this many bytes: the least that object storage takes. */
const partSize = 5 * 1024 * 1024;

export interface WrittenBlob {
  /** Bytes. */
  size: number;
  /** Of the bytes, hexadecimal. */
  sha256: string;
}

export interface PartWriterOptions {
  key: string;
  /** How many bytes are expected, where that is known: small ones need no large buffer. */
  expected?: number | undefined;
  /** Called before the first of several parts goes out, with the storage's id of the upload. */
  onBegin(storageId: string): Promise<void>;
  /** Called before each of several parts, with the bytes that there are then; what it throws ends the writing. */
  beforePart?(size: number): Promise<void>;
}

/**
 * Writes bytes of unknown length to object storage as they arrive, and hashes them: in one piece if there are few,
 * otherwise in parts. Holds at most one part. An upload that was neither finished nor dropped can be found through what
 * `onBegin` stored.
 */
export class PartWriter {
  readonly #blobs: Blobs;
  readonly #options: PartWriterOptions;
  readonly #hash: Hash = createHash("sha256");
  readonly #parts: { number: number; etag: string }[] = [];
  #buffer: Uint8Array<ArrayBuffer>;
  #filled = 0;
  #size = 0;
  #storageId: string | undefined;

  constructor(blobs: Blobs, options: PartWriterOptions) {
    this.#blobs = blobs;
    this.#options = options;
    this.#buffer = new Uint8Array(Math.min(partSize, Math.max(options.expected ?? partSize, 1024)));
  }

  get size(): number {
    return this.#size;
  }

  /** Resolves when more may come. The bytes may be used again afterwards. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.#size += bytes.length;
    for (let from = 0; from < bytes.length;) {
      if (this.#filled === partSize) await this.#flush();
      const piece = bytes.subarray(from, from + partSize - this.#filled);
      this.#makeRoom(piece.length);
      this.#buffer.set(piece, this.#filled);
      this.#filled += piece.length;
      from += piece.length;
    }
  }

  /** All has come: afterwards it lies under its key. */
  async finish(): Promise<WrittenBlob> {
    const { key } = this.#options;
    if (this.#storageId === undefined) await this.#blobs.put(key, this.#buffer.subarray(0, this.#filled));
    else {
      if (this.#filled > 0) await this.#flush();
      await this.#blobs.joinParts(key, this.#storageId, this.#parts);
    }
    return { size: this.#size, sha256: this.#hash.digest("hex") };
  }

  /** Takes away what has been stored so far, also after `finish`. */
  async drop(): Promise<void> {
    const { key } = this.#options;
    if (this.#storageId !== undefined) await this.#blobs.dropParts(key, this.#storageId);
    await this.#blobs.delete([key]);
  }

  async #flush(): Promise<void> {
    const { key, onBegin, beforePart } = this.#options;
    if (this.#storageId === undefined) {
      this.#storageId = await this.#blobs.beginParts(key);
      await onBegin(this.#storageId);
    }
    const number = this.#parts.length + 1;
    await beforePart?.((number - 1) * partSize + this.#filled);
    const etag = await this.#blobs.putPart(key, this.#storageId, number, this.#buffer.subarray(0, this.#filled));
    this.#parts.push({ number, etag });
    this.#filled = 0;
  }

  #makeRoom(more: number): void {
    if (this.#filled + more <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.min(partSize, Math.max(this.#buffer.length * 2, this.#filled + more)));
    larger.set(this.#buffer.subarray(0, this.#filled));
    this.#buffer = larger;
  }
}
