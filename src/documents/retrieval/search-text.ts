import { pairsOf, replaceUnspaced } from "../../shared/unspaced-scripts.ts";

/** Vowel points of Hebrew and Arabic, which people leave out as often as not. */
const points = /[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC]/g;
const other = /[^ -~\s]/;

/**
 * A text, or a question, for the search index: characters normalized, and scripts without spaces cut into pairs of
 * characters (`東京都` becomes `東京 京都`), because the index splits words at spaces.
 */
export function searchText(text: string): string {
  if (!other.test(text)) return text;
  const plain = text.normalize("NFKC").replace(points, "");
  return replaceUnspaced(plain, (run) => ` ${(run.length < 3 ? [run.join("")] : pairsOf(run)).join(" ")} `);
}
