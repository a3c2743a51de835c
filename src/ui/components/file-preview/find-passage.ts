/** Shorter pieces stand in too many places. */
const shortest = 12;

/**
 * Finds a passage in the texts that a page is painted from. The passage comes from the file's Markdown and the page from its
 * layout, so only letters and digits count; a passage that goes on from another page, or that a table or a line end cuts, is
 * found piece by piece.
 * @returns places of the texts that belong to it, ascending
 */
export function findPassage(texts: readonly string[], passage: string): number[] {
  const wanted = plain(passage);
  if (wanted === "") return [];
  const plains = texts.map(plain);
  const page = plains.join("");
  const ranges: [number, number][] = [];
  const whole = page.indexOf(wanted);
  if (whole !== -1) ranges.push([whole, whole + wanted.length]);
  else {
    let from = 0;
    for (const piece of piecesOf(passage)) {
      // In the order of the passage where that goes: a heading may stand on top of every page.
      const next = page.indexOf(piece, from);
      const at = next === -1 ? page.indexOf(piece) : next;
      if (at === -1) continue;
      ranges.push([at, at + piece.length]);
      from = at + piece.length;
    }
  }
  const found: number[] = [];
  let start = 0;
  for (const [index, text] of plains.entries()) {
    const end = start + text.length;
    if (text !== "" && ranges.some(([from, to]) => from < end && to > start)) found.push(index);
    start = end;
  }
  return found;
}

function piecesOf(passage: string): string[] {
  return passage
    .split(/\n|\||(?<=[.!?;:。！？])\s/u)
    .flatMap((piece) => {
      const whole = plain(piece);
      // The end of one page and the beginning of the next may be one sentence.
      return whole.length > 80 ? [whole, whole.slice(0, 40), whole.slice(-40)] : [whole];
    })
    .filter((piece) => piece.length >= shortest);
}

function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
