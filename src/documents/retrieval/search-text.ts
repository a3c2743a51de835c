/** Scripts without blanks between words, and Korean, whose words come with endings attached. */
const together =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}々〆ー";
const runs = new RegExp(`[${together}][${together}\\p{M}]*`, "gu");
/** Letters with the marks that stand on them. */
const letters = /\p{L}\p{M}*|\p{N}|\p{M}/gu;
/** Vowel points of Hebrew and Arabic, which people leave out as often as not. */
const points = /[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC]/g;
const other = /[^ -~\s]/;

/**
 * A text as the search index gets it, and a question too: letters in their usual form, and what is written without blanks cut
 * into pairs of letters (`東京都` becomes `東京 京都`), because the index takes what stands between blanks for a word.
 */
export function searchText(text: string): string {
  if (!other.test(text)) return text;
  return text.normalize("NFKC").replace(points, "").replace(runs, pairs);
}

function pairs(run: string): string {
  const all = run.match(letters) ?? [];
  if (all.length < 3) return ` ${run} `;
  let joined = " ";
  for (let index = 1; index < all.length; index++) joined += `${all[index - 1]}${all[index]} `;
  return joined;
}
