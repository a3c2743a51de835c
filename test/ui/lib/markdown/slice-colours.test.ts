import fc from "fast-check";
import highlight from "highlight.js/lib/core";
import javascript from "highlight.js/lib/languages/javascript";
import { expect, test } from "vitest";
import { sliceColours } from "../../../../src/ui/lib/markdown/slice-colours.ts";

highlight.registerLanguage("javascript", javascript);
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/gu, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");

test("slices together are the code, each has whole lines and closes what it opens", () => {
  const line = fc.constantFrom(
    "/* open",
    "close */",
    "`a ${b + `",
    "c` }",
    "const x = '<&>';",
    "",
    "// note",
    "function f() {",
    "}",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), fc.integer({ min: 1, max: 7 }), (lines, size) => {
      const code = `${lines.join("\n")}\n`;
      const slices = sliceColours(
        highlight.highlight(code, { language: "javascript", ignoreIllegals: true }).value,
        size,
      );
      expect(slices.map(textOf).join("")).toBe(code);
      for (const slice of slices) {
        expect(slice.match(/<span/gu)?.length ?? 0).toBe(slice.match(/<\/span>/gu)?.length ?? 0);
        expect(textOf(slice).split("\n").length - 1).toBeLessThanOrEqual(size);
      }
    }),
  );
});

test("what spans lines goes on in the next slice", () => {
  expect(sliceColours('<span class="c">/* a\nb */</span>\nx\n', 1)).toEqual([
    '<span class="c">/* a\n</span>',
    '<span class="c">b */</span>\n',
    "x\n",
  ]);
});
