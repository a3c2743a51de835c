import { expect } from "vitest";
import type { DocumentExpectation, DocumentFixture } from "../../../fixtures/documents/document-fixture.ts";
import type { ReadDocument } from "./read-fixture.ts";

/** Compares what was read with what the document holds. */
export function checkFixture({ expect: wanted }: DocumentFixture, read: ReadDocument): void {
  const { last, text, events } = read;
  if (wanted.failure !== undefined) {
    expect(last).toMatchObject({ type: "failed", code: wanted.failure });
    if (wanted.message) expect(last).toMatchObject({ message: expect.stringMatching(wanted.message) as string });
    return;
  }
  expect(last).toMatchObject({ type: "end" });
  if (last.type !== "end") return;
  if (wanted.pages !== undefined) expect(last.pages).toBe(wanted.pages);
  if (wanted.title !== undefined) expect(last.title).toBe(wanted.title);
  if (wanted.contentType !== undefined)
    expect(events[0]).toMatchObject({ type: "kind", contentType: wanted.contentType });
  if (wanted.atLeast !== undefined) expect(text.length).toBeGreaterThan(wanted.atLeast);
  checkText(wanted, text);
  for (const [words, page] of Object.entries(wanted.pageOf ?? {}))
    expect([words, placeOf(read, words).page]).toEqual([words, page]);
  for (const [words, label] of Object.entries(wanted.labelOf ?? {}))
    expect([words, placeOf(read, words).label]).toEqual([words, label]);
  if (wanted.pictures)
    expect(events.flatMap((event) => (event.type === "picture" ? [event.page] : []))).toEqual(wanted.pictures);
}

function checkText(wanted: DocumentExpectation, text: string): void {
  if (wanted.headings) {
    const headings = text.match(/^#{1,6} .*$/gm) ?? [];
    expect(headings.slice(0, text.length > 100_000 ? wanted.headings.length : undefined)).toEqual(wanted.headings);
  }
  let from = 0;
  for (const words of wanted.inOrder ?? []) {
    const at = text.indexOf(words, from);
    expect(at === -1 ? `${text.slice(from, from + 2000)} ... without ${words}` : words).toBe(words);
    from = at + words.length;
  }
  for (const words of wanted.absent ?? []) expect(text).not.toContain(words);
}

function placeOf(read: ReadDocument, words: string) {
  const at = read.text.indexOf(words);
  expect(at === -1 ? `no ${words}` : words).toBe(words);
  return read.pages.find(({ end }) => at < end)!;
}
