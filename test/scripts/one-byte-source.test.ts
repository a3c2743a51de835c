import vm from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { oneByteSource } from "../../scripts/launch/one-byte-source.ts";

/** What the source's value is, before and after. */
function both(source: string): [unknown, unknown] {
  const short = oneByteSource(source);
  expect(short).toMatch(/^[\0-\xff]*$/);
  return [vm.runInNewContext(source), vm.runInNewContext(short)];
}

describe("a source in characters of one byte", () => {
  test.each([
    ["/[…。]+/.exec('a\\u2026b')[0]"],
    ["/^[🟢🔴]$/u.test('\\u{1F7E2}')"],
    ["/^[^•]$/.test('\\u2022')"],
    ["((texts, ...values) => texts.join('|') + values)`– ${1} …`"],
    ["`日本 ${'x'} 語`"],
    ["'é'.length // …"],
  ])("means the same: %s", (source) => {
    const [before, after] = both(source);
    expect(after).toEqual(before);
  });

  test("means the same, whatever text is in a template", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const [before, after] = both(`\`${text.replaceAll(/[\\`$]/g, "")}\``);
        expect(after).toBe(before);
      }),
    );
  });

  test("is refused where an escape would be read as it stands", () => {
    expect(() => oneByteSource("String.raw`a …`")).toThrow("In String.raw");
    expect(oneByteSource("String.raw`\\d`+`…`")).toBe("String.raw`\\d`+`\\u2026`");
  });
});
