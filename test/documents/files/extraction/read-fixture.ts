import type { ExtractEvent } from "../../../../src/documents/files/extraction/extractor.ts";
import type { Extractor } from "../../../../src/documents/files/extraction/extractor.ts";
import type { DocumentFixture } from "../../../fixtures/documents/document-fixture.ts";

export interface ReadDocument {
  events: ExtractEvent[];
  text: string;
  pages: { page: number | null; label: string | null; start: number; end: number }[];
  last: ExtractEvent & { type: "end" | "failed" };
}

/** Reads a document of the corpus. The bytes come in pieces that end anywhere. */
export async function readFixture(extractor: Extractor, fixture: DocumentFixture): Promise<ReadDocument> {
  const bytes = await fixture.make();
  const options = {
    filename: fixture.filename,
    contentType: "application/octet-stream",
    bytes: bytes.length,
    pictures: fixture.pictures ?? false,
    size: 1000,
    overlap: 100,
  };
  const events: ExtractEvent[] = [];
  let text = "";
  const pages: ReadDocument["pages"] = [];
  for await (const event of extractor.extract(pieces(bytes), options, new AbortController().signal)) {
    events.push(event);
    if (event.type !== "text") continue;
    pages.push({ page: event.page, label: event.label, start: text.length, end: text.length + event.text.length });
    text += event.text;
  }
  return { events, text, pages, last: events.at(-1) as ReadDocument["last"] };
}

function pieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      const length = Math.min(bytes.length - at, 40_000 + (at % 999));
      controller.enqueue(bytes.slice(at, at + length));
      at += length;
    },
  });
}
