import type { ByteSource } from "./byte-source.ts";

/** Signature, checksum and two sizes of up to eight bytes each, and the signature of what follows. */
const maxDescriptorBytes = 4 + 4 + 16 + 4;

/**
 * The packed bytes of an entry whose size is said only after it (streaming writers, LibreOffice among them). The end is where a
 * size is written that is just what has been read so far, followed by the next header: no need to unpack what nobody wants.
 * Takes the descriptor too. Returns false where the stream ends first.
 */
export async function* takeUndelimited(source: ByteSource): AsyncGenerator<Buffer, boolean> {
  let taken = 0;
  for (;;) {
    const held = await source.held();
    let at = held.indexOf("PK", 0, "latin1");
    while (at >= 0 && at + maxDescriptorBytes <= held.length) {
      const end = findEnd(held, at, taken);
      if (end) {
        yield source.cut(end.packed);
        source.cut(end.descriptor);
        return true;
      }
      at = held.indexOf("PK", at + 1, "latin1");
    }
    // What might belong to a descriptor stays until the rest of it is there.
    const ready = (at < 0 ? held.length : at) - maxDescriptorBytes;
    if (ready > 0) {
      taken += ready;
      yield source.cut(ready);
    }
    if (!(await source.extend())) {
      const rest = await source.held();
      const end = findLastEnd(rest, taken);
      if (!end) return false;
      yield source.cut(end.packed);
      source.cut(end.descriptor);
      return true;
    }
  }
}

/** Near the end of the file there may be less than the longest descriptor. */
function findLastEnd(held: Buffer, taken: number) {
  for (let at = held.indexOf("PK"); at >= 0; at = held.indexOf("PK", at + 1)) {
    const end = findEnd(held, at, taken);
    if (end) return end;
  }
  return undefined;
}

/** @param at of a "PK" @param taken bytes of the entry before `held` */
function findEnd(held: Buffer, at: number, taken: number): { packed: number; descriptor: number } | undefined {
  const signature = at + 4 <= held.length ? held.readUInt32LE(at) : 0;
  if (signature === 0x08074b50) {
    for (const size of [4, 8] as const) {
      const next = at + 8 + size * 2;
      if (next + 2 > held.length || readSize(held, at + 8, size) !== taken + at || !isHeader(held, next)) continue;
      return { packed: at, descriptor: next - at };
    }
    return undefined;
  }
  // A descriptor may come without a signature: then it stands right before the next header.
  if (!isHeader(held, at)) return undefined;
  for (const size of [4, 8] as const) {
    const start = at - 4 - size * 2;
    if (start >= 0 && readSize(held, start + 4, size) === taken + start)
      return { packed: start, descriptor: at - start };
  }
  return undefined;
}

function isHeader(held: Buffer, at: number): boolean {
  if (at + 4 > held.length) return false;
  const signature = held.readUInt32LE(at);
  return signature === 0x04034b50 || signature === 0x02014b50 || signature === 0x08064b50;
}

function readSize(held: Buffer, at: number, size: 4 | 8): number {
  return size === 4 ? held.readUInt32LE(at) : Number(held.readBigUInt64LE(at));
}
