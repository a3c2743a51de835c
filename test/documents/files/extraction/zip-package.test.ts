import { describe, expect, test } from "vitest";
import { ZipPackage } from "../../../../workers/extractor/zip/zip-package.ts";
import { noise } from "../../../fixtures/documents/noise.ts";
import { pack, packStreamed } from "../../../fixtures/documents/pack.ts";

async function* inPieces(bytes: Uint8Array, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.slice(at, at + length);
}

const isXml = (name: string) => name.endsWith(".xml");
const parts = {
  "a.xml": "<a>first</a>",
  "picture.png": noise(20_000),
  "empty.xml": "",
  // What looks like the end of a part stands in the middle of one.
  "tricky.bin": Buffer.concat([
    noise(500),
    Buffer.from("PK\u0007\b0123PK\u0003\u0004PK\u0001\u0002", "latin1"),
    noise(500),
  ]),
  "last.xml": `<b>${"last ".repeat(5000)}</b>`,
};

/** The same archive as some writers leave it: descriptors without their signature. */
function withoutSignatures(archive: Uint8Array): Uint8Array {
  const pieces = Buffer.from(archive).toString("latin1").split("PK\u0007\b");
  // Checksum and two sizes, and the next header: elsewhere it is no descriptor.
  const cut = pieces.reduce(
    (all: string, piece: string) => all + (piece.slice(12, 14) === "PK" ? "" : "PK\u0007\b") + piece,
  );
  expect(cut.length).toBe(archive.length - 4 * Object.keys(parts).length);
  return Buffer.from(cut, "latin1");
}

describe("parts of an archive", () => {
  test.for([
    ["sizes in front", pack(parts)],
    ["sizes behind", packStreamed(parts)],
    ["stored, sizes behind", packStreamed(parts, Object.keys(parts))],
    ["sizes behind without signature", withoutSignatures(packStreamed(parts))],
  ] as const)("are found however it comes: %s", async ([, archive]) => {
    for (const length of [1, 7, 1000, archive.length]) {
      const read = await ZipPackage.read(inPieces(archive, length), isXml);
      expect(read.names).toEqual(["a.xml", "empty.xml", "last.xml"]);
      expect(read.text("a.xml")).toBe(parts["a.xml"]);
      expect(read.text("empty.xml")).toBe("");
      expect(read.text("last.xml")).toBe(parts["last.xml"]);
    }
  });

  test("are missed when the archive was cut off, wherever", async () => {
    for (const archive of [pack(parts), packStreamed(parts)]) {
      // The list at the end begins with the name of the first part.
      const list = Buffer.from(archive).indexOf("PK\u0001\u0002");
      for (let length = 1; length < list; length += 997)
        await expect(ZipPackage.read(inPieces(archive.slice(0, length), 4096), isXml)).rejects.toMatchObject({
          code: "file_corrupt",
        });
    }
  });

  test("are kept and unpacked only so far", async () => {
    const archive = pack(parts);
    await expect(ZipPackage.read(inPieces(archive, 4096), () => true, { packed: 10_000 })).rejects.toMatchObject({
      code: "file_too_large",
    });
    const read = await ZipPackage.read(inPieces(archive, 4096), isXml, { unpacked: 20_000 });
    expect(() => read.text("last.xml")).toThrow(/too large when unpacked/);
  });
});
