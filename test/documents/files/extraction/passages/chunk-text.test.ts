import { expect, test } from "vitest";
import type { PageMark, Passage } from "../../../../../src/documents/files/extraction/extractor.ts";
import { createNodeExtractor } from "../../node-extractor.ts";

const extractor = createNodeExtractor();
const never = new AbortController().signal;

async function chunk(text: string, pages: PageMark[], bytesAtOnce = 7): Promise<Passage[]> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + bytesAtOnce));
      at += bytesAtOnce;
    },
  });
  const found: Passage[] = [];
  for await (const passages of extractor.chunk(body, pages, { size: 300, overlap: 30 }, never)) found.push(...passages);
  return found;
}

test("a text is cut on its pages, with offsets in UTF-16 units", async () => {
  const parts = ["# Über 😀\n\nErste Seite.\n\n", "Zwischen den Seiten.\n\n", "Zweite Seite mit 日本語.\n"];
  const text = parts.join("");
  const from = parts[0]!.length + parts[1]!.length;
  const pages = [
    { page: 1, label: null, start: 0, end: parts[0]!.length },
    { page: 2, label: "ii", start: from, end: text.length },
  ];
  const passages = await chunk(text, pages);
  expect(passages.map(({ page, label, headings, text: words }) => [page, label, headings, words])).toEqual([
    [1, null, ["Über 😀"], "# Über 😀\n\nErste Seite."],
    [null, null, ["Über 😀"], "Zwischen den Seiten."],
    [2, "ii", ["Über 😀"], "Zweite Seite mit 日本語."],
  ]);
  for (const { start, end, text: words } of passages) expect(text.slice(start, end)).toBe(words);
});

test("a text without pages, and one of nothing", async () => {
  await expect(chunk("Just words.", [])).resolves.toMatchObject([
    { page: null, text: "Just words.", start: 0, end: 11 },
  ]);
  await expect(chunk("", [])).resolves.toEqual([]);
  await expect(chunk(" \n ", [])).resolves.toEqual([]);
});

test("marks of very many pages, however the bytes come", async () => {
  const page = "Some words on each of the pages.\n";
  const pages = Array.from({ length: 3000 }, (_, at) => ({
    page: at + 1,
    label: null,
    start: at * page.length,
    end: (at + 1) * page.length,
  }));
  const passages = await chunk(page.repeat(3000), pages, 9973);
  expect(passages.map((passage) => passage.page)).toEqual(pages.map((mark) => mark.page));
});
