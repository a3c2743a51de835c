/** Scripts without spaces between words, and Korean, whose words come with endings attached; with the signs within their words. */
const unspacedLetters =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}々〆ー";
const unspaced = new RegExp(`[${unspacedLetters}]`, "u");
const runs = new RegExp(`[${unspacedLetters}][${unspacedLetters}\\p{M}]*`, "gu");
/** Letters with the marks that stand on them. */
const letters = /\p{L}\p{M}*|\p{N}|\p{M}/gu;

/** Whether a text has letters of a script that does not separate words. */
export function isUnspaced(text: string): boolean {
  return unspaced.test(text);
}

/** The text with its runs of such letters replaced. */
export function replaceUnspaced(text: string, replace: (letters: readonly string[]) => string): string {
  return text.replace(runs, (run) => replace(run.match(letters) ?? []));
}

/** Neighbours among letters: `東京都` has the pairs `東京` and `京都`. */
export function pairsOf(run: readonly string[]): string[] {
  return run.slice(1).map((letter, at) => `${run[at]}${letter}`);
}
