/** Longer lines are not waited for. */
const maxLineLength = 65_536;

/** Markdown of a page without what only looks: a picture becomes what it is said to show, a link that leads nowhere its text. */
export async function* tidyMarkdown(pieces: AsyncIterable<string>): AsyncGenerator<string, undefined> {
  let rest: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    rest.push(piece);
    length += piece.length;
    if (!piece.includes("\n") && length < maxLineLength) continue;
    const all = rest.join("");
    const end = all.lastIndexOf("\n") + 1 || all.length;
    rest = [all.slice(end)];
    length = all.length - end;
    yield tidyLines(all.slice(0, end));
  }
  const last = tidyLines(rest.join(""));
  if (last !== "") yield last;
}

/** The same for Markdown that is there as a whole. Every search in it is bounded. */
export function tidyLines(markdown: string): string {
  return markdown
    .replaceAll(/!\[([^\][\n]{0,500})\]\([^()\n]{0,2000}\)/g, (_, shown: string) =>
      shown.trim() === "" ? "" : `[Picture: ${shown.trim()}]`,
    )
    .replaceAll(/\[([^\][\n]{0,500})\]\(<?(?:#|javascript:|data:)[^()\n]{0,2000}\)/gi, "$1")
    .replaceAll(/^[ \t]+$/gm, "");
}
