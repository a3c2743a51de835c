import { createHash } from "node:crypto";

/** A skippable frame of zstd (RFC 8878, section 3.1.2), so that `zstd -d` and `tar --zstd` read the file as it is. */
const frameHead = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0]);
const sealBytes = frameHead.length + 32;

/** Adds the SHA-256 of all bytes at the end. */
export async function* addSeal(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
  yield Buffer.concat([frameHead, hash.digest()]);
}

/** Takes it away again. @throws Error when a bit of it, or of what it stands for, is not what it was */
export async function* removeSeal(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const all: Buffer = Buffer.concat([held, chunk]);
    const known = Math.max(0, all.length - sealBytes);
    held = all.subarray(known);
    if (known === 0) continue;
    const part = all.subarray(0, known);
    hash.update(part);
    yield part;
  }
  if (!held.equals(Buffer.concat([frameHead, hash.digest()]))) throw new Error("its checksum is wrong");
}
