import { expect, test } from "vitest";
import { searchTerms } from "../../../src/documents/retrieval/search-terms.ts";
import { searchText } from "../../../src/documents/retrieval/search-text.ts";

const words = (text: string) => searchText(text).trim().split(/\s+/);

test("scripts without blanks become pairs of letters, each text for itself", () => {
  expect(words("東京都に住む")).toEqual(["東京", "京都", "都に", "に住", "住む"]);
  expect(words("サーバー")).toEqual(["サー", "ーバ", "バー"]);
  expect(words("서울특별시에서")).toEqual(["서울", "울특", "특별", "별시", "시에", "에서"]);
  expect(words("水")).toEqual(["水"]);
  expect(words("PDFを開く")).toEqual(["PDF", "を開", "開く"]);
});

test("letters stay with the marks on them", () => {
  expect(words("สวัสดี")).toEqual(["สวั", "วัส", "สดี"]);
  expect(words("हिन्दी में")).toEqual(["हिन्दी", "में"]);
});

test("forms that mean the same become the same", () => {
  expect(searchText("ＡＢＣ１２３")).toBe("ABC123");
  expect(searchText("ﬁne")).toBe("fine");
  // Vowel points are left out as often as not.
  expect(searchText("שָׁלוֹם")).toBe(searchText("שלום"));
  expect(searchText("مُحَمَّد")).toBe(searchText("محمد"));
});

test("what has none of this is left as it is", () => {
  const text = "Plain text, with CODE_42 and\ttabs\nand lines.";
  expect(searchText(text)).toBe(text);
});

test("a question becomes its words, each once, in quotes; what is written together also as a whole", () => {
  expect(searchTerms("Reset the LH-403 error, reset!")).toEqual([
    '"reset"',
    '"the"',
    '"lh 403"',
    '"lh"',
    '"403"',
    '"error"',
  ]);
  expect(searchTerms('" OR * NEAR( {body} : x')).toEqual(['"or"', '"near"', '"body"', '"x"']);
  expect(searchTerms("東京都")).toEqual(['"東京"', '"京都"']);
  expect(searchTerms("?!…")).toEqual([]);
});

test("of a very long question the longest words are asked for, in their order", () => {
  const given = Array.from({ length: 100 }, (_, index) => (index % 4 === 0 ? `long${index}` : `s${index}`));
  const terms = searchTerms(given.join(" "));
  expect(terms).toHaveLength(32);
  expect(terms.slice(0, 3)).toEqual(['"long0"', '"long4"', '"long8"']);
  expect(terms.filter((term) => term.startsWith('"long'))).toHaveLength(25);
});
