/** A block of code between fences. */
export interface CodeBlock {
  /** As written behind the fence, in lower case; empty where there is none. */
  language: string;
  code: string;
  /** Its end has arrived. */
  isComplete: boolean;
}

/** Longer answers are looked at up to here, in UTF-16 units. */
const maxLength = 2_000_000;

/** The fenced code of a Markdown text, in order (CommonMark, 4.5). Fences in lists count too. Takes one pass. */
export function readCodeBlocks(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { mark: string; length: number; indent: number; language: string; lines: string[] } | undefined;
  const end = (isComplete: boolean): void => {
    if (!open) return;
    blocks.push({ language: open.language, code: open.lines.join("\n"), isComplete });
    open = undefined;
  };
  for (const line of text.slice(0, maxLength).split(/\r\n?|\n/u)) {
    if (open) {
      const fence = line.trim();
      if (fence.length >= open.length && fence === open.mark.repeat(fence.length)) end(true);
      else open.lines.push(withoutIndent(line, open.indent));
      continue;
    }
    const [, indent, fence, info] = /^([ \t]{0,24})(`{3,}|~{3,})(.*)$/u.exec(line) ?? [];
    if (indent === undefined || fence === undefined || info === undefined) continue;
    // Backticks behind backticks are a code span.
    if (fence.startsWith("`") && info.includes("`")) continue;
    const language = info.trim().split(/\s/u)[0]?.toLowerCase() ?? "";
    open = { mark: fence.charAt(0), length: fence.length, indent: indent.length, language, lines: [] };
  }
  end(false);
  return blocks;
}

function withoutIndent(line: string, indent: number): string {
  let at = 0;
  while (at < indent && (line[at] === " " || line[at] === "\t")) at++;
  return line.slice(at);
}
