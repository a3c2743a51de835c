import { describe, expect, it } from "vitest";
import { compareText, firstAfter, lowerAscii } from "../../../src/scim/filter/compare-text.ts";

describe("text as SQLite compares it", () => {
  it("is in the order of its UTF-8", () => {
    const texts = ["", "A", "Aa", "B", "a", "a\u{1f600}", "é", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}"];
    const bytes = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(texts.toReversed().toSorted(compareText)).toEqual(bytes);
    expect(compareText("aé\u{1f600}", "aé\u{1f600}")).toBe(0);
  });

  it.each([
    ["a", "b"],
    ["az", "a{"],
    ["\u{1f600}", "\u{1f601}"],
    ["a\ud7ff", "a\ue000"],
    ["\uffff", "\u{10000}"],
    ["a\u{10ffff}\u{10ffff}", "b"],
    ["\u{10ffff}", undefined],
    ["", undefined],
  ])("begins with %j up to %j", (beginning, after) => {
    expect(firstAfter(beginning)).toBe(after);
  });

  it("has no case in A to Z only", () => {
    expect(lowerAscii("AZaz[É\u0130\u212a")).toBe("azaz[É\u0130\u212a");
  });
});
