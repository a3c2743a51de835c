import fc from "fast-check";
import { strToU8, zipSync, type Zippable } from "fflate";
import { describe, expect, test } from "vitest";
import { openDocuments } from "../../../src/chat/transfer/open-documents.ts";

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function read(bytes: Uint8Array, length = 1000): Promise<string[]> {
  const documents: string[] = [];
  for await (const document of openDocuments(inPieces(bytes, length))) {
    const decoder = new TextDecoder();
    let text = "";
    for await (const piece of document) text += decoder.decode(piece, { stream: true });
    documents.push(text);
  }
  return documents;
}

const zip = (files: Zippable) => zipSync(files);

describe("an export", () => {
  test("that is no zip is one document", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.integer({ min: 1, max: 9 }), async (text, length) => {
        expect(await read(strToU8(`[${text}`), length)).toEqual([`[${text}`]);
      }),
    );
    expect(await read(new Uint8Array())).toEqual([""]);
  });

  test("that is a zip has the conversations in it, in their order, and nothing else", async () => {
    const bytes = zip({
      "user.json": strToU8("{}"),
      "conversations-000.json": strToU8("[1]"),
      "pictures/large.png": [crypto.getRandomValues(new Uint8Array(50_000)), { level: 0 }],
      "export/conversations-001.json": [strToU8("[2]"), { level: 0 }],
      "my-conversations.json": strToU8("[3]"),
      "conversations.json": strToU8(`[${"4,".repeat(100_000)}4]`),
    });
    for (const length of [7, 1000, 1_000_000])
      expect((await read(bytes, length)).map((text) => text.slice(0, 3))).toEqual(["[1]", "[2]", "[4,"]);
  });

  test("may be left before the end of a document", async () => {
    const bytes = zip({
      "a/conversations.json": strToU8("x".repeat(50_000)),
      "b/conversations.json": strToU8("second"),
    });
    const first: string[] = [];
    for await (const document of openDocuments(inPieces(bytes, 100))) {
      for await (const piece of document) {
        first.push(new TextDecoder().decode(piece).slice(0, 6));
        break;
      }
    }
    expect(first).toEqual(["xxxxxx", "second"]);
  });

  test("is refused as a zip without conversations, cut off, or broken", async () => {
    await expect(read(zip({ "notes.txt": strToU8("[]") }))).rejects.toThrow(SyntaxError);
    const whole = zip({ "conversations.json": crypto.getRandomValues(new Uint8Array(5000)) });
    await expect(read(whole.subarray(0, 3000))).rejects.toThrow(SyntaxError);
    const broken = zip({ "conversations.json": strToU8("harbour ".repeat(5000)) });
    broken.fill(0xff, 60, 120);
    await expect(read(broken)).rejects.toThrow(SyntaxError);
  });

  test("is unpacked step by step, however much it comes to", async () => {
    const bytes = zip({ "conversations.json": [new Uint8Array(200_000_000), { level: 9 }] });
    let largest = 0;
    let total = 0;
    for await (const document of openDocuments(inPieces(bytes, bytes.length)))
      for await (const piece of document) {
        largest = Math.max(largest, piece.length);
        total += piece.length;
      }
    expect(total).toBe(200_000_000);
    expect(largest).toBeLessThan(8_000_000);
  });
});
