/** A parsed search text. Every word must occur; all of them in one message, or all in the title. */
export interface SearchWords {
  /** An FTS5 expression for the words that the index has; undefined where there are none. */
  match: string | undefined;
  /**
   * The same with the last word as it is, where it is too long for the beginnings in the index: `match` joins the entries of all
   * words that begin so, which costs more the more people write.
   */
  whole: string | undefined;
  /** Words that are compared character by character: with punctuation, or in scripts that do not separate words. */
  literal: string[];
}

const maxWords = 16;
/** The beginnings of words that the indexes have: two to this many letters (migration 0085). */
const maxIndexedBeginning = 4;

/**
 * Scripts without spaces between words, and Korean, whose particles are attached to words: the index contains whole
 * runs of them, so words inside would not be found.
 */
const unseparated =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const plain = /^[\p{L}\p{N}\p{M}]+$/u;

/** Splits a search text into words. Everything is literal, never syntax; the last word may be unfinished, if it has more than one letter. */
export function searchWords(text: string): SearchWords {
  const words = text
    .toWellFormed()
    .normalize("NFC")
    .split(/[\s\p{Cc}]+/u)
    .filter(Boolean)
    .slice(0, maxWords);
  const indexed: string[] = [];
  const literal: string[] = [];
  for (const word of words) (plain.test(word) && !unseparated.test(word) ? indexed : literal).push(word);
  if (indexed.length === 0) return { match: undefined, whole: undefined, literal };
  const exact = indexed.map((word) => `"${word}"`).join(" AND ");
  const last = words.at(-1)!;
  const letters = last === indexed.at(-1) ? [...last].length : 0;
  return {
    match: letters > 1 ? `${exact}*` : exact,
    whole: letters > maxIndexedBeginning ? exact : undefined,
    literal,
  };
}
