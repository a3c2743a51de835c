/** How a search text is looked for. Every word must occur; all of them in one message, or all in the title. */
export interface SearchWords {
  /** An FTS5 expression for the words that the index has; undefined where there are none. */
  match: string | undefined;
  /** Words that are compared letter by letter: with signs in them, or of scripts that do not separate words. */
  literal: string[];
}

const maxWords = 16;

/**
 * Scripts without blanks between words, and Korean, whose particles stick to the word: the index holds whole runs of
 * them, so that a word inside would not be found.
 */
const unseparated =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const plain = /^[\p{L}\p{N}\p{M}]+$/u;

/** Splits a search text into words. Whatever people type is letters to look for, never syntax; the last word may be unfinished. */
export function searchWords(text: string): SearchWords {
  const words = text
    .toWellFormed()
    .normalize("NFC")
    .split(/[\s\p{Cc}]+/u)
    .filter(Boolean)
    .slice(0, maxWords);
  const indexed: string[] = [];
  const literal: string[] = [];
  words.forEach((word, at) => {
    if (!plain.test(word) || unseparated.test(word)) literal.push(word);
    else indexed.push(at === words.length - 1 ? `"${word}"*` : `"${word}"`);
  });
  return { match: indexed.length > 0 ? indexed.join(" AND ") : undefined, literal };
}
