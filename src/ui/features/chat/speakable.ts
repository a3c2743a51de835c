/** How much of an answer is read out when it is finished; the rest is there to be read. */
const maxLength = 600;

/** An answer as plain words for a screen reader: without markup, code named but not spelled, cut at a word. */
export function speakable(markdown: string): string {
  const plain = markdown
    .replace(/^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))/gmu, " (code) ")
    .replace(/!\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replace(/\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replace(/^\s*(?:[#>]+|[-*+]|\|)\s?/gmu, "")
    .replace(/[*_`~|]+/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
  if (plain.length <= maxLength) return plain;
  return `${plain.slice(0, plain.lastIndexOf(" ", maxLength))} …`;
}
