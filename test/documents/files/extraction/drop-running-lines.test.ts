import { describe, expect, test } from "vitest";
import { dropRunningLines } from "../../../../workers/extractor/formats/pdf/drop-running-lines.ts";

const pages = (make: (page: number) => string, count = 4) => Array.from({ length: count }, (_, at) => make(at + 11));
const body = (page: number) => `Words of page ${"abcdefgh"[page % 8]}.\n\nMore ${"klmnopqr"[page % 8]}.`;

describe("lines that run through a document", () => {
  test("names and page numbers go, however they are written", () => {
    const read = dropRunningLines(
      pages((page) => `The ledger\n\n${body(page)}\n\nEdition 2025, page ${page - 2} of 80`),
      11,
      new Set(),
    );
    expect(read).toEqual(pages(body));
  });

  test("what only looks alike stays", () => {
    const invoices = pages((page) => `Invoice ${page * 37}\n\n${body(page)}\n\nTotal: ${page * 20} Euro`);
    expect(dropRunningLines(invoices, 11, new Set())).toEqual(invoices);
  });

  test("chapters keep their titles, a title on every page does not", () => {
    const chapters = pages((page) => `# Chapter ${page}\n\n${body(page)}`);
    expect(dropRunningLines(chapters, 11, new Set())).toEqual(chapters);
    expect(
      dropRunningLines(
        pages((page) => `# The ledger\n\n${body(page)}`),
        11,
        new Set(),
      ),
    ).toEqual(pages(body));
  });

  test("a page that holds nothing else keeps it", () => {
    const same = pages(() => "This page is left blank");
    expect(dropRunningLines(same, 11, new Set())).toEqual(same);
  });

  test("what ran before goes on running over the last pages", () => {
    const known = new Set<string>();
    dropRunningLines(
      pages((page) => `${body(page)}\n\n- ${page} -`),
      11,
      known,
    );
    expect(dropRunningLines([`${body(15)}\n\n- 15 -`], 15, known)).toEqual([body(15)]);
  });

  test("tables at the edge are left alone", () => {
    const tables = pages((page) => `| Year | Ships |\n|---|---|\n| 2024 | ${page} |`);
    expect(dropRunningLines(tables, 11, new Set())).toEqual(tables);
  });
});
