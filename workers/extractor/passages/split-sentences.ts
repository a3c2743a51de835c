/** Marks that end a sentence: those of Latin scripts only before a space, the others wherever they stand. */
const sentenceEnd = /[.!?;:](?=["'”’)\]]?\s)["'”’)\]]?\s+|[。！？；…]["'”’」』）]?/g;

/**
 * Cuts a line that is too long to stay whole: between sentences, else between words, else anywhere but within a character.
 * @param maxLength characters of a piece
 */
export function* splitSentences(line: string, maxLength: number): Generator<string, undefined> {
  let from = 0;
  for (const { index, 0: mark } of line.matchAll(sentenceEnd)) {
    const end = index + mark.length;
    yield* splitWords(line.slice(from, end), maxLength);
    from = end;
  }
  if (from < line.length) yield* splitWords(line.slice(from), maxLength);
}

function* splitWords(text: string, maxLength: number): Generator<string, undefined> {
  let from = 0;
  while (text.length - from > maxLength) {
    const end = wordEnd(text, from, from + maxLength);
    yield text.slice(from, end);
    from = end;
  }
  yield text.slice(from);
}

/** The last place up to `end` where a word ends, if it is not too far back. */
function wordEnd(text: string, from: number, end: number): number {
  const earliest = from + Math.floor((end - from) / 2);
  for (let at = end; at > earliest; at--) if (isSpace(text.charCodeAt(at - 1))) return at;
  return wholeCharacter(text, end);
}

/** The same place, or one before it where it lies within a character that takes two units. */
export function wholeCharacter(text: string, at: number): number {
  const isWithin = isHigh(text.charCodeAt(at - 1)) && !isHigh(text.charCodeAt(at));
  return isWithin && at < text.length ? at - 1 : at;
}

export function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x3000 || unit === 0xa0;
}
