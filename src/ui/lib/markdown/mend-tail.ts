/**
 * Makes the unfinished end of a streamed Markdown block presentable, so that no markup flashes by and nothing changes
 * its kind when the next characters arrive: lone markers are held back, open emphasis and code spans are closed, a link
 * shows its text until its address is complete, a table appears with its header row. Pure; `raw` is one block.
 */
export function mendTail(raw: string): string {
  if (isFence(raw)) return mendFence(raw);
  const text = mendTable(dropLoneMarker(raw));
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  const mended = closeSpans(mendLink(last.replace(/<\/?[a-z]{0,7}$/iu, "")));
  return [...lines, mended].join("\n");
}

function isFence(raw: string): boolean {
  return /^ {0,3}(`{3,}|~{3,})/u.test(raw);
}

/** The closing fence arrives tick by tick; the first two must not show up as code. */
function mendFence(raw: string): string {
  if (!raw.includes("\n")) return `${raw}\n`;
  return raw.replace(/\n {0,3}(`{1,}|~{1,})$/u, "\n");
}

/** `Items:\n-` is a heading to Markdown until the list item's text arrives; a lone `#`, `>`, `1.` or `[^1]:` is nothing yet. */
function dropLoneMarker(raw: string): string {
  return raw.replace(
    /(^|\n)([ \t>]*)(?:[-=+*_]{1,3}|#{1,6}|\d{1,3}[.)]?|>|`{1,2}|~{1,2}|\[\^[^\]\s]{0,100}\]?:?)[ \t]*$/u,
    "$1$2",
  );
}

function mendTable(raw: string): string {
  const lines = raw.split("\n");
  const first = lines[0] ?? "";
  if (!/^ {0,3}\|/u.test(first) || lines.length > 2) return raw;
  if (lines.length === 1 && first.trim() === "|") return "";
  const header = first.trimEnd().endsWith("|") ? first : `${first.trimEnd()} |`;
  const second = lines[1] ?? "";
  if (!/^[\s|:-]*$/u.test(second) || (lines.length === 2 && header !== first)) return raw;
  const columns = header
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/u).length;
  const arrived = second.split("|").filter((cell) => cell.includes("-")).length;
  if (arrived >= columns && second.trimEnd().endsWith("|")) return raw;
  return `${header}\n|${" --- |".repeat(columns)}`;
}

/** `[text](https://exa` shows as `text`, `![alt](…` not at all, until the closing parenthesis is there. */
function mendLink(line: string): string {
  const visible = maskCode(line);
  const open = /(!?)\[([^\]]*)(?:\]\([^)]*)?$/u.exec(visible);
  if (!open || visible[open.index - 1] === "\\") return line;
  const complete = visible.slice(open.index).includes("](");
  if (open[1] === "!") return line.slice(0, open.index);
  const textStart = open.index + 1;
  if (complete) return line.slice(0, open.index) + line.slice(textStart, textStart + (open[2]?.length ?? 0));
  // A bracket that has no end yet may be plain text or a task marker: leave it alone unless text follows.
  return /^[ x]?$/iu.test(open[2] ?? "") ? line : line.slice(0, open.index) + line.slice(textStart);
}

function closeSpans(line: string): string {
  const ticks = openTicks(line);
  if (ticks) return line.endsWith("`") ? line.slice(0, -ticks.length) : line + ticks;
  const visible = maskCode(line);
  let closers = "";
  let end = line;
  for (const marker of ["**", "__", "~~"]) {
    const count = visible.split(marker).length - 1;
    if (count % 2 === 0) continue;
    if (visible.endsWith(marker)) end = end.slice(0, -marker.length);
    else if (opensWord(visible, visible.lastIndexOf(marker), marker.length)) closers = marker + closers;
  }
  const single = visible.replaceAll("**", "  ").replace(/^(\s*)\* /u, "$1  ");
  const stars = single.split("*").length - 1;
  if (stars % 2 === 1 && single.endsWith("*")) end = end.slice(0, -1);
  else if (stars % 2 === 1 && opensWord(single, single.lastIndexOf("*"), 1)) {
    closers = single.lastIndexOf("*") > visible.lastIndexOf("**") ? `*${closers}` : `${closers}*`;
  }
  const { length } = end.trimEnd();
  return closers ? end.slice(0, length) + closers + end.slice(length) : end;
}

function opensWord(line: string, at: number, length: number): boolean {
  return /\S/u.test(line[at + length] ?? "") && !/\w/u.test(line[at - 1] ?? "");
}

/** The run of backticks that opened a code span which has not ended, or nothing. */
function openTicks(line: string): string | undefined {
  let open: string | undefined;
  for (const [run] of line.matchAll(/`+/gu)) {
    if (open === undefined) open = run;
    else if (open === run) open = undefined;
  }
  return open;
}

/** Replaces code spans and escapes by spaces of the same length, so that markers inside them do not count. */
function maskCode(line: string): string {
  return line.replace(/(`+)[^`]*?\1|\\./gu, (match) => " ".repeat(match.length));
}
