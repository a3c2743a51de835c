import { isUnspaced } from "../../../shared/unspaced-scripts.ts";

/** A piece of a text; `isMatch` where it is one of the words that were searched for. */
export interface Piece {
  text: string;
  isMatch: boolean;
}

const wordSign = /[\p{L}\p{N}\p{M}]/u;
const plainWord = /^[\p{L}\p{N}\p{M}]+$/u;
const maxWords = 16;

/**
 * A text in pieces, with the words of a search set apart as the search finds them: without regard to case and accents, plain
 * words from their beginning, which may be behind a letter of a script without spaces. Together the pieces are the text. `tag:name` is no word.
 */
export function markWords(text: string, query: string): Piece[] {
  const words = query
    .replaceAll(/(?<=^|\s)tag:\S+/giu, " ")
    .split(/\s+/u)
    .map((word) => fold(word).text)
    .filter(Boolean)
    .slice(0, maxWords);
  const folded = fold(text);
  const isMarked = new Uint8Array(text.length);
  for (const word of words) {
    const isPlain = plainWord.test(word) && !isUnspaced(word);
    for (let at = folded.text.indexOf(word); at !== -1; at = folded.text.indexOf(word, at + word.length)) {
      const before = folded.text[at - 1] ?? "";
      if (isPlain && wordSign.test(before) && !isUnspaced(before)) continue;
      const end = folded.places[at + word.length] ?? text.length;
      isMarked.fill(1, folded.places[at], end);
    }
  }
  return split(text, isMarked);
}

/** The text in lower case without accents, and for each of its units where it stands in the original. */
function fold(text: string): { text: string; places: number[] } {
  let folded = "";
  const places: number[] = [];
  let at = 0;
  for (const sign of text) {
    const plain = sign.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
    for (let unit = 0; unit < plain.length; unit++) places.push(at);
    folded += plain;
    at += sign.length;
  }
  return { text: folded, places };
}

function split(text: string, isMarked: Uint8Array): Piece[] {
  const pieces: Piece[] = [];
  for (let start = 0; start < text.length;) {
    let end = start + 1;
    while (end < text.length && isMarked[end] === isMarked[start]) end++;
    pieces.push({ text: text.slice(start, end), isMatch: isMarked[start] === 1 });
    start = end;
  }
  return pieces;
}
