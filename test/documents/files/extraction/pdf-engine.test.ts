import { expect, test } from "vitest";
import type { ExtractEvent } from "../../../../src/documents/files/extraction/extractor.ts";
import { pdfDocuments } from "../../../fixtures/documents/pdf-documents.ts";
import { createNodeExtractor } from "../node-extractor.ts";
import { checkFixture } from "./check-fixture.ts";
import { readFixture } from "./read-fixture.ts";

const extractor = createNodeExtractor();
const find = (name: string) => pdfDocuments.find(({ filename }) => filename === name)!;

test("several PDFs at once do not get into each other", async () => {
  const names = ["report.pdf", "not-a.pdf", "chinese-japanese-korean.pdf", "password.pdf", "turned.pdf", "labels.pdf"];
  const read = await Promise.all(names.map((name) => readFixture(extractor, find(name))));
  for (const [index, name] of names.entries()) checkFixture(find(name), read[index]!);
  expect(read.map(({ last }) => last.type)).toEqual(["end", "failed", "end", "failed", "end", "end"]);
});

test("one that nobody reads to its end does not keep the next one waiting", async () => {
  const bytes = await find("running-lines.pdf").make();
  const options = {
    filename: "a.pdf",
    contentType: "",
    bytes: bytes.length,
    pictures: false,
    size: 1000,
    overlap: 100,
  };
  const events: ExtractEvent["type"][] = [];
  const body = new Response(bytes as Uint8Array<ArrayBuffer>).body!;
  for await (const { type } of extractor.extract(body, options, new AbortController().signal)) {
    events.push(type);
    if (type === "text") break;
  }
  expect(events).toEqual(["kind", "text"]);
  checkFixture(find("report.pdf"), await readFixture(extractor, find("report.pdf")));
});
