import fc from "fast-check";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { memberBytes, readZipDirectory, ZipProblem, type ZipSource } from "../../src/lib/read-zip.ts";

/** A zip file in memory, read in pieces of a few bytes. */
function sourceOf(bytes: Uint8Array, piece = 7): ZipSource {
  return {
    size: bytes.length,
    read: async (offset, length) => {
      const part = bytes.subarray(offset, offset + length);
      let at = 0;
      return new ReadableStream({
        pull(controller) {
          if (at >= part.length) return controller.close();
          controller.enqueue(part.slice(at, at + piece));
          at += piece;
        },
      });
    },
  };
}

async function unpack(bytes: Uint8Array, piece?: number): Promise<Record<string, string>> {
  const source = sourceOf(bytes, piece);
  const found: Record<string, string> = {};
  for (const member of await readZipDirectory(source, 100)) {
    const pieces: Uint8Array[] = [];
    for await (const part of memberBytes(source, member)) pieces.push(part);
    found[member.path] = Buffer.concat(pieces).toString("base64");
  }
  return found;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const plain = zipSync({
  "a.txt": [bytesOf("Ahoy"), { level: 0 }],
  "b/c.txt": bytesOf("Tide ".repeat(500)),
  "d/": [] as never,
});

describe("a zip file", () => {
  it("gives its files back, packed or not, in whatever pieces it comes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8})?\.txt$/), fc.uint8Array({ maxLength: 3000 }), {
          maxKeys: 6,
          noNullPrototype: true,
        }),
        fc.constantFrom(0 as const, 6 as const),
        fc.integer({ min: 1, max: 5000 }),
        async (files, level, piece) => {
          const expected = Object.fromEntries(
            Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes).toString("base64")]),
          );
          expect(await unpack(zipSync(files, { level }), piece)).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("that is damaged anywhere is refused, or gives the same contents: never others, and never another error", async () => {
    // A folder whose name is damaged is an empty file.
    const known = new Set([...Object.values(await unpack(plain)), ""]);
    await fc.assert(
      fc.asyncProperty(fc.nat(plain.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const bytes = plain.slice();
        bytes[at] = bytes[at]! ^ by;
        const found = await unpack(bytes, 4096).catch((error: unknown) =>
          error instanceof ZipProblem ? {} : { error: String(error) },
        );
        // A name may be another one, or that of a folder; what is in a file may not.
        expect(Object.values(found).filter((content) => !known.has(content))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("that is cut off is refused", async () => {
    for (let length = 0; length < plain.length; length += 13)
      await expect(unpack(plain.slice(0, length), 4096)).rejects.toBeInstanceOf(ZipProblem);
  });

  it("may have a comment behind it, and may not have more files than allowed", async () => {
    const commented = Buffer.concat([plain, bytesOf("Ahoy")]);
    commented.writeUInt16LE(4, plain.length - 2);
    expect(Object.keys(await unpack(commented))).toEqual(["a.txt", "b/c.txt"]);
    await expect(readZipDirectory(sourceOf(plain), 1)).rejects.toThrow("has 2 files; the limit is 1");
  });

  it("with a password or another method says which file it is", async () => {
    const at = Buffer.from(plain).indexOf(Buffer.from("504b0102", "hex"));
    const locked = plain.slice();
    locked[at + 8] = 1;
    await expect(unpack(locked)).rejects.toThrow("a.txt is protected by a password");
    const packed = plain.slice();
    packed[at + 10] = 12;
    await expect(unpack(packed)).rejects.toThrow("a.txt is packed in a way that can't be read here");
  });

  it("whose member says less than it unpacks to is refused as soon as that shows", async () => {
    const bomb = zipSync({ "b.txt": new Uint8Array(5_000_000) });
    const at = Buffer.from(bomb).indexOf(Buffer.from("504b0102", "hex"));
    Buffer.from(bomb.buffer).writeUInt32LE(1000, at + 24);
    const source = sourceOf(bomb, 512);
    const [member] = await readZipDirectory(source, 10);
    let seen = 0;
    const read = async () => {
      for await (const part of memberBytes(source, member!)) seen += part.length;
    };
    await expect(read()).rejects.toThrow("b.txt is damaged");
    expect(seen).toBeLessThanOrEqual(1000);
  });
});
