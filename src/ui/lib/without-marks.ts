/** Each mark that is taken away, and what stays of it. Texts may begin and end in the middle of one. */
const marks: readonly [RegExp, string | ((found: string) => string)][] = [
  [/```\w*/gu, ""],
  // Rows of tables.
  [/^\s*\|.*$/gmu, (row) => row.replaceAll(/\|(?:\s*:?-{3,}:?\s*(?=\|))?/gu, " ")],
  [/^(…?)\s*(?:#{1,6}|>|[-*+])\s+(?:\[[ xX]\]\s+)?/gmu, "$1"],
  [/!?\[([^\]\n]{0,200})\]\([^)\n]{0,400}(?:\)|$)/gmu, "$1"],
  [/\]\((?:https?:|\/)[^)\s]{0,400}\)/gu, ""],
  [/\[\^[^\]\s]{1,40}\]:?/gu, ""],
  // Within words they are part of them, as in names of code; between blanks they are signs.
  [/(?<![\p{L}\p{N}*_`~])(?:[*_`]|~~){1,6}(?=[^\s*_`~])|(?<=[^\s*_`~])(?:[*_`]|~~){1,6}(?![\p{L}\p{N}*_`~])/gu, ""],
];

/** Markdown as words in one line: without what makes headings, lists, tables, emphasis, code and links. For short texts. */
export function withoutMarks(markdown: string): string {
  let text = markdown;
  for (const [mark, kept] of marks) text = text.replaceAll(mark, kept as string);
  return text.replaceAll(/\s+/gu, " ").trim();
}
