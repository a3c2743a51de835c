import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonSpreader } from "../../../../workers/extractor/formats/data/spread-json.ts";
import { CsvRows } from "../../../../workers/extractor/formats/table/csv-rows.ts";
import { guessDelimiter } from "../../../../workers/extractor/formats/table/guess-delimiter.ts";
import { dropInlineData } from "../../../../workers/extractor/formats/web/page-source.ts";
import { createNodeExtractor } from "../node-extractor.ts";

/** The same text in pieces of these lengths, in turn. */
function inPieces(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const length = lengths[turn % lengths.length]!;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

test("rows of separated values are read back as they were written, however they come", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "é", '"', ",", "\n", " "), maxLength: 6 });
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
  const quote = (value: string) => `"${value.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(table, lengths, (rows, pieces) => {
      const text = rows.map((row) => row.map(quote).join(",")).join("\n");
      const parser = new CsvRows(",");
      const read = inPieces(text, pieces).flatMap((piece) => parser.push(piece));
      expect([...read, ...parser.end()]).toEqual(rows);
    }),
  );
});

test.each([
  ['a "b" c,d', ['a "b" c', "d"]],
  ['"a"b,c', ["ab", "c"]],
  ["a,,", ["a", "", ""]],
  ['"never closed, \n', ["never closed, \n"]],
])("quotes where they do not belong: %j", (text, cells) => {
  const parser = new CsvRows(",");
  expect([...parser.push(text), ...parser.end()]).toEqual([cells]);
});

test("a cell that never ends, and a row that never ends, end", () => {
  const cells = new CsvRows(",").push(`"${"x".repeat(150_000)}\nnext,row\n`);
  expect(cells.at(-1)).toEqual(["next", "row"]);
  const [row] = new CsvRows(",").push(`${"x,".repeat(10_000)}\n`);
  expect(row).toHaveLength(2000);
});

test.each([
  ["a,b\n1,2\n", ","],
  ["a;b\n1,5;2\n3,5;4\n", ";"],
  ["a\tb, c\n1\t2\n", "\t"],
  ["a|b|c\n1|2|3\n", "|"],
  ["sep=;\na,b;c\n", ";"],
  ['"a;b;c",x\n"d;e;f",y\n', ","],
  ["words\nmore words, with a comma\n", ","],
])("what separates the values of %j is %j", (text, delimiter) => {
  expect(guessDelimiter(text)).toBe(delimiter);
});

test("JSON on lines of its own is the same JSON, however it comes", () => {
  fc.assert(
    fc.property(fc.json(), lengths, (json, pieces) => {
      const spreader = new JsonSpreader();
      const spread = inPieces(json, pieces)
        .map((piece) => spreader.push(piece))
        .join("");
      expect(JSON.parse(spread)).toEqual(JSON.parse(json));
      expect(spread).toBe(new JsonSpreader().push(json));
    }),
  );
});

test("JSON is spread as people write it", () => {
  expect(new JsonSpreader().push('{"a":{"b":[1,{}],"c":[]},"d":"x, [y]"}')).toBe(
    '\n{\n  "a": {\n    "b": [\n      1,\n      {}\n    ],\n    "c": []\n  },\n  "d": "x, [y]"\n}'.trimStart(),
  );
});

test.each([
  ["brackets", "a.json", "[".repeat(400_000)],
  ["short rows below a wide header", "a.csv", `${"x,".repeat(2000)}\n${"y\n".repeat(100_000)}`],
  ["deep elements", "a.xml", `${"<a>".repeat(1000)}${"<b/>".repeat(100_000)}${"</a>".repeat(1000)}`],
  ["tables in tables", "a.html", "<table><tr><td>".repeat(20_000)],
  ["lists in lists", "b.html", "<ul><li>x".repeat(20_000)],
])("%s do not become much more text than they are", async (_, filename, content) => {
  const bytes = new TextEncoder().encode(content);
  const options = { filename, contentType: "", bytes: bytes.length, pictures: false, size: 1000, overlap: 100 };
  let written = 0;
  const events = createNodeExtractor().extract(new Blob([bytes]).stream(), options, new AbortController().signal);
  for await (const event of events) if (event.type === "text") written += event.text.length;
  expect(written).toBeLessThan(bytes.length * 12);
});

test("bytes within a page are dropped, wherever the page is parted", () => {
  const page = '<p>a;base64 b</p><img src="data:image/png;base64,iVBOR/+w0KGgo=="><p>c</p>;base64,AAAA';
  return fc.assert(
    fc.asyncProperty(lengths, async (pieces) => {
      const kept: string[] = [];
      for await (const text of dropInlineData(toAsync(inPieces(page, pieces)))) kept.push(text);
      expect(kept.join("")).toBe('<p>a;base64 b</p><img src="data:image/png;base64,"><p>c</p>;base64,');
    }),
  );
});

async function* toAsync<T>(items: readonly T[]): AsyncGenerator<T, undefined> {
  yield* items;
}
