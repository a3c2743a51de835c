/** A line is taken for one that runs through the document when so many pages in a row have it, and most of those there are. */
const minPages = 3;
const minShare = 0.6;
const maxKnown = 10_000;
/** So many lines at the top and bottom may run. */
const edge = 2;

/**
 * Takes out what stands at the top or bottom of one page after the other: the name of the document or chapter, page numbers. A
 * line runs if it is the same to the letter, or but for a number that counts the pages: what merely looks alike, such as the
 * amounts of a pile of invoices, stays. A page never becomes empty.
 * @param pages Markdown of pages in a row
 * @param first number of the first one
 * @param known lines that ran on pages before these; those that are found are put to it
 */
export function dropRunningLines(pages: readonly string[], first: number, known: Set<string>): string[] {
  const all = pages.map((page) => page.split("\n"));
  for (const fromEnd of [false, true]) {
    for (let round = 0; round < edge; round += 1) {
      const found = all.map((lines, index) => edgeLine(lines, fromEnd, first + index));
      const counts = new Map<string, number>();
      for (const key of found.flatMap(({ keys }) => keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
      const min = Math.max(minPages, found.filter(({ keys }) => keys.length > 0).length * minShare);
      let dropped = 0;
      for (const [index, { keys, at }] of found.entries()) {
        const key = keys.find((one) => known.has(one) || (counts.get(one) ?? 0) >= min);
        if (key === undefined) continue;
        if (known.size < maxKnown) known.add(key);
        all[index]!.splice(at, 1);
        dropped += 1;
      }
      if (dropped === 0) break;
    }
  }
  return all.map((lines, index) => lines.join("\n").trim() || pages[index]!);
}

/** The outermost line that is not empty, and what it may be known by. In tables and code nothing runs. */
function edgeLine(lines: readonly string[], fromEnd: boolean, page: number): { keys: string[]; at: number } {
  const isFilled = (line: string) => line.trim() !== "";
  const at = fromEnd ? lines.findLastIndex(isFilled) : lines.findIndex(isFilled);
  const line = (lines[at] ?? "").replaceAll(/[\s*_]+/g, " ").trim();
  if (line === "" || line.length > 200 || /^[|`]/.test(line)) return { keys: [], at };
  // Chapters are counted as well, and pages may begin with them.
  if (line.startsWith("#")) return { keys: [line], at };
  const counting = Array.from(line.matchAll(/\d{1,6}/g)).map(
    ({ 0: digits, index }) => `${line.slice(0, index)}+${Number(digits) - page}${line.slice(index + digits.length)}`,
  );
  return { keys: [line, ...counting], at };
}
