/** Where a text may be divided, the best first: paragraphs, sentences, words. */
const ends = [/\n\s*\n/g, /[.!?…。！？]["'”’)\]]*\s+|[。！？]|\n/g, /\s+/g];

/** A text in pieces that are not longer than this, in UTF-16 units, divided at the ends of sentences where there are any. */
export function splitText(text: string, maxLength: number): string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > maxLength) {
    const at = placeIn(rest, maxLength);
    pieces.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return [...pieces, rest].filter((piece) => piece !== "");
}

function placeIn(text: string, maxLength: number): number {
  const head = text.slice(0, maxLength + 1);
  for (const end of ends) {
    const last = [...head.matchAll(end)].findLast(
      (match) => match.index > 0 && match.index + match[0].trimEnd().length <= maxLength,
    );
    if (last) return last.index + last[0].trimEnd().length;
  }
  return /[\uD800-\uDBFF]/.test(text[maxLength - 1]!) ? maxLength - 1 : maxLength;
}
