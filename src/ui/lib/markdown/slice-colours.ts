/** Lines of one slice: as much as a browser lays out well within a frame. */
export const linesOfSlice = 200;

/**
 * Cuts highlighted code into slices of whole lines. Spans that go on in the next slice are closed and opened again there,
 * so each slice is whole by itself; together their texts are the code.
 * @param html what highlight.js writes: escaped text and spans, nothing else
 */
export function sliceColours(html: string, lines = linesOfSlice): string[] {
  const slices: string[] = [];
  const open: string[] = [];
  let slice = "";
  let count = 0;
  let from = 0;
  for (const { 0: found, index } of html.matchAll(/<span[^>]*>|<\/span>|\n/gu)) {
    if (found !== "\n") {
      if (found === "</span>") open.pop();
      else open.push(found);
      continue;
    }
    count++;
    if (count < lines) continue;
    slices.push(slice + html.slice(from, index + 1) + "</span>".repeat(open.length));
    slice = open.join("");
    from = index + 1;
    count = 0;
  }
  if (from < html.length) slices.push(slice + html.slice(from));
  return slices;
}
