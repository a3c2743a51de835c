/** Characters before the first word that fits, and altogether. */
const lead = 40;
const maxLength = 160;

/** What stands around the first of the words in a text, on one line; its beginning where none of them is there letter by letter. */
export function cutSnippet(content: string, words: readonly string[]): string {
  const text = content.replaceAll(/\s+/gu, " ").trim();
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at !== -1);
  const from = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - lead);
  const piece = text.slice(from, from + maxLength);
  // A character of two units at an end is left away rather than cut in half.
  const whole = piece.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return `${from > 0 ? "…" : ""}${whole}${from + maxLength < text.length ? "…" : ""}`;
}
