import { isUnspaced, pairsOf, replaceUnspaced } from "../shared/unspaced-scripts.ts";

/** A parsed search text. Every word must occur; all of them in one message, or all in the title. */
export interface SearchWords {
  /** All words, as they are written. */
  words: string[];
  /** An FTS5 expression for the words that an index has; undefined where there are none. */
  match: string | undefined;
  /**
   * The same with the last word as it is, where it is too long for the beginnings in the index: `match` joins the entries of all
   * words that begin so, which costs more the more people write.
   */
  whole: string | undefined;
  /** Words that are compared character by character as well: with punctuation, or in scripts that do not separate words. */
  literal: string[];
  /** Whether `match` is for the index of texts as `pairText` has them: only they have letters like these. */
  isUnspaced: boolean;
}

const maxWords = 16;
/** The beginnings of words that the indexes have: two to this many letters (migration 0085). */
const maxIndexedBeginning = 4;

/** What has no letter is not in an index. */
const letter = /[\p{L}\p{N}]/u;
const plain = /^\p{M}*[\p{L}\p{N}][\p{L}\p{N}\p{M}]*$/u;
const lastLetters = /[\p{L}\p{N}\p{M}]*$/u;
const phrase = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Splits a search text into words. Everything is literal, never syntax; the last word may be unfinished, if it has more than one letter. */
export function searchWords(text: string): SearchWords {
  const words = text
    .toWellFormed()
    .normalize("NFC")
    .split(/[\s\p{Cc}]+/u)
    .filter(Boolean)
    .slice(0, maxWords);
  const literal = words.filter((word) => !plain.test(word) || isUnspaced(word));
  const indexed = words.filter((word) => letter.test(word));
  const exact = indexed.flatMap((word) => (isUnspaced(word) ? pairPhrases(word) : [phrase(word)])).join(" AND ");
  if (exact === "") return { words, match: undefined, whole: undefined, literal, isUnspaced: false };
  const last = words.at(-1)!;
  const letters = isUnspaced(last) ? 0 : [...lastLetters.exec(last)![0]].length;
  return {
    words,
    match: letters > 1 ? `${exact}*` : exact,
    whole: letters > maxIndexedBeginning ? exact : undefined,
    literal,
    isUnspaced: indexed.some(isUnspaced),
  };
}

/**
 * A text for an index that splits words at spaces: `GPTは東京` becomes `GPT は東 東京 京`. Each letter of a script without spaces
 * begins an entry, so that each run of them is found by its pairs, and a single one by the beginning of an entry.
 */
export function pairText(text: string): string {
  return replaceUnspaced(text.normalize("NFC"), (run) => ` ${[...pairsOf(run), ...run.slice(-1)].join(" ")} `);
}

/** The entries of such letters in a word; what else is in it is compared letter by letter. Marks may follow the last letter. */
function pairPhrases(word: string): string[] {
  const phrases: string[] = [];
  replaceUnspaced(word, (run) => {
    // Parts of letters, such as radicals, are no letters.
    if (run.length > 0) phrases.push(`${phrase((run.length > 1 ? pairsOf(run) : run).join(" "))}*`);
    return "";
  });
  return phrases;
}
