import { describe, expect, it } from "vitest";
import { findPassage } from "../../../../src/ui/components/file-preview/find-passage.ts";

describe("a passage on a page", () => {
  const page = ["Harbour rules", " ", "The last ferry leaves", "the north quay at 21:40,", "every Sunday.", "Page 4"];

  it("is found over lines, signs and upper case", () => {
    expect(findPassage(page, "the LAST ferry leaves the north quay at 21:40, every Sunday")).toEqual([2, 3, 4]);
    expect(findPassage(page, "**Harbour rules**")).toEqual([0]);
  });

  it("is found where the page parts a word, or joins letters", () => {
    expect(findPassage(["the infor-", "mation of\u00a0", "the ofﬁce"], "the information of the office")).toEqual([
      0, 1, 2,
    ]);
  });

  it("is found piece by piece where it is a table, or goes on elsewhere", () => {
    const table = "| Direction | Winter |\n| --- | --- |\n| North quay to island | 21:55 tonight |";
    expect(findPassage(["21:55 tonight", "Direction", "North quay to island", "Winter"], table)).toEqual([2]);
    const over = "The end of the page before this one. The last ferry leaves the north quay at 21:40, every Sunday.";
    expect(findPassage(page, over)).toEqual([2, 3, 4]);
    const cut = `${"Words of the page before, many of them, so that it is long enough, ".repeat(2)}and the last ferry leaves the north quay at 21:40, every Sunday`;
    expect(findPassage(page, cut)).toEqual(expect.arrayContaining([3, 4]));
  });

  it("is not found where it is not, nor by short words alone", () => {
    expect(findPassage(page, "Nothing of the kind stands here at all.")).toEqual([]);
    expect(findPassage(page, "ferry\nquay\nPage")).toEqual([]);
    expect(findPassage(page, " -- ")).toEqual([]);
    expect(findPassage([], "The last ferry")).toEqual([]);
  });

  it("is found in writing without spaces", () => {
    expect(findPassage(["最終便は北埠頭を", "21時40分に出ます", "。"], "最終便は北埠頭を21時40分に出ます。")).toEqual([
      0, 1,
    ]);
  });
});
