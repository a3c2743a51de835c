import { Inflate } from "fflate";
import { DocumentError } from "../document.ts";
import { ByteSource } from "./byte-source.ts";
import { localHeaderLength, localSignature, readLocalHeader } from "./local-header.ts";
import { takeUndelimited } from "./take-undelimited.ts";

export interface ZipLimits {
  /** Entries of the archive. */
  entries: number;
  /** Packed bytes of what is kept, all together. */
  packed: number;
  /** Bytes that all reading together may unpack. */
  unpacked: number;
}

const defaultLimits: ZipLimits = { entries: 20_000, packed: 48e6, unpacked: 400e6 };

/** An honest document packs to a hundredth at best; below this many bytes nobody asks. */
const bombRatio = 400;
const bombSize = 20e6;

/** Packed bytes that are unpacked at a time: they become at most a thousand times as many. */
const inflateSlice = 4096;

interface Entry {
  method: number;
  packed: Buffer[];
  length: number;
}

/**
 * The parts of a packed document that are worth reading, held as they are packed. It is read as it comes, by the headers in
 * front of the parts: of pictures and films, whatever their size, never more than one piece is in memory.
 */
export class ZipPackage {
  readonly #entries: Map<string, Entry>;
  readonly #limits: ZipLimits;
  #unpacked = 0;

  private constructor(entries: Map<string, Entry>, limits: ZipLimits) {
    this.#entries = entries;
    this.#limits = limits;
  }

  /**
   * @param keep which parts are worth reading, by their names
   * @throws DocumentError file_corrupt, file_encrypted, file_too_large
   */
  static async read(
    stream: AsyncIterable<Uint8Array>,
    keep: (name: string) => boolean,
    limits: Partial<ZipLimits> = {},
  ): Promise<ZipPackage> {
    const all = { ...defaultLimits, ...limits };
    const source = new ByteSource(stream);
    const entries = new Map<string, Entry>();
    let kept = 0;
    for (let count = 0; ; count += 1) {
      const fixed = await source.peek(localHeaderLength);
      if (fixed.length < 4 || fixed.readUInt32LE(0) !== localSignature) {
        // What comes after the parts is a list of them; without it the file was cut off, or something else is broken.
        if (fixed.length < 4 || ![0x02014b50, 0x08064b50, 0x06054b50].includes(fixed.readUInt32LE(0))) throw cutOff();
        await source.drain();
        return new ZipPackage(entries, all);
      }
      if (count >= all.entries) throw new DocumentError("file_too_large", `It has more than ${all.entries} parts`);
      const header = await readHeader(source);
      if (header.isEncrypted) throw new DocumentError("file_encrypted", "It is protected by a password");
      const entry: Entry = { method: header.method, packed: [], length: 0 };
      const isWanted = keep(header.name) && !entries.has(header.name);
      const pieces = header.packed === undefined ? takeUndelimited(source) : source.takePieces(header.packed);
      for (;;) {
        const { done, value } = await pieces.next();
        if (done) {
          if (value === false) throw cutOff();
          break;
        }
        entry.length += value.length;
        if (!isWanted) continue;
        kept += value.length;
        if (kept > all.packed) throw new DocumentError("file_too_large", "Its text is too large");
        // Copied: the piece that it is cut from holds other things as well.
        entry.packed.push(Buffer.from(value));
      }
      if (header.packed !== undefined && entry.length < header.packed) throw cutOff();
      if (isWanted) entries.set(header.name, entry);
    }
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * Unpacks one part, piece by piece. A part that is not there has no pieces.
   * @throws DocumentError file_corrupt, file_too_large
   */
  *open(name: string): Generator<Uint8Array, undefined> {
    const entry = this.#entries.get(name);
    if (!entry) return;
    if (entry.method !== 0 && entry.method !== 8)
      throw new DocumentError("file_corrupt", "One of its parts uses an unsupported compression");
    let unpacked = 0;
    for (const piece of entry.method === 0 ? entry.packed : inflate(entry.packed)) {
      unpacked += piece.length;
      this.#unpacked += piece.length;
      if (this.#unpacked > this.#limits.unpacked || (unpacked > bombSize && unpacked > entry.length * bombRatio))
        throw new DocumentError("file_too_large", "It is too large when unpacked");
      yield piece;
    }
  }

  /** One part as text; empty where it is not there. @param limit bytes, more are an error */
  text(name: string, limit = 16e6): string {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for (const piece of this.open(name)) {
      length += piece.length;
      if (length > limit) throw new DocumentError("file_too_complex", "One of its parts is too large");
      pieces.push(piece);
    }
    return new TextDecoder().decode(Buffer.concat(pieces));
  }
}

async function readHeader(source: ByteSource) {
  const fixed = await source.take(localHeaderLength);
  if (fixed.length < localHeaderLength) throw cutOff();
  const length = fixed.readUInt16LE(26) + fixed.readUInt16LE(28);
  const variable = await source.take(length);
  if (variable.length < length) throw cutOff();
  return readLocalHeader(fixed, variable);
}

function* inflate(packed: readonly Buffer[]): Generator<Uint8Array, undefined> {
  let unpacked: Uint8Array[] = [];
  let isEnded = false;
  const inflater = new Inflate((bytes, isFinal) => {
    if (bytes.length > 0) unpacked.push(bytes);
    isEnded ||= isFinal;
  });
  for (const [index, buffer] of packed.entries()) {
    for (let at = 0; at < buffer.length; at += inflateSlice) {
      const isLast = index === packed.length - 1 && at + inflateSlice >= buffer.length;
      try {
        inflater.push(buffer.subarray(at, at + inflateSlice), isLast);
      } catch (cause) {
        throw new DocumentError("file_corrupt", "It is damaged: one of its parts cannot be unpacked", { cause });
      }
      yield* unpacked;
      unpacked = [];
    }
  }
  if (!isEnded) throw cutOff();
}

function cutOff(): DocumentError {
  return new DocumentError("file_corrupt", "It is damaged: its end is missing");
}
