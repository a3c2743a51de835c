/** A line is taken for one that runs through the document when so many pages in a row have it, and most of those there are. */
const leastPages = 3;
const leastShare = 0.6;
/** So many lines at the top and bottom may run. */
const edge = 2;

/**
 * Takes out what stands at the top or bottom of one page after the other: names of documents and chapters, page numbers. Those
 * that only count are one line; headings have to be the same to the letter, or chapters would lose their titles.
 * @param pages Markdown of pages in a row
 */
export function dropRunningLines(pages: readonly string[]): string[] {
  const lines = pages.map((page) => page.split("\n"));
  for (const fromEnd of [false, true]) {
    for (let round = 0; round < edge; round += 1) {
      const found = lines.map((page) => edgeLine(page, fromEnd));
      const counts = new Map<string, number>();
      for (const { key } of found) if (key !== "") counts.set(key, (counts.get(key) ?? 0) + 1);
      const filled = found.filter(({ key }) => key !== "").length;
      let dropped = 0;
      for (const [index, { key, at }] of found.entries()) {
        const count = counts.get(key) ?? 0;
        if (key === "" || count < leastPages || count < filled * leastShare) continue;
        lines[index]!.splice(at, 1);
        dropped += 1;
      }
      if (dropped === 0) break;
    }
  }
  return lines.map((page) => page.join("\n").trim());
}

/** The outermost line that is not empty; in a table or in code nothing runs. */
function edgeLine(page: readonly string[], fromEnd: boolean): { key: string; at: number } {
  const at = fromEnd ? page.findLastIndex((line) => line.trim() !== "") : page.findIndex((line) => line.trim() !== "");
  const line = page[at]?.trim() ?? "";
  if (line.length > 200 || /^[|`]/.test(line)) return { key: "", at };
  return { key: line.startsWith("#") ? line : line.replaceAll(/[\s*_]+/g, " ").replaceAll(/\d+/g, "0"), at };
}
