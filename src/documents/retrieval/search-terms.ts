import { searchText } from "./search-text.ts";

/** Of a long question the longest words, which say the most: each costs up to a millisecond. */
const maxTerms = 32;
const words = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * What the search index is asked for: each word of the question once, in quotes, in their order. What is written together with
 * marks between (`ERR_CONN-42`) is looked for as a whole too.
 */
export function searchTerms(question: string): string[] {
  const terms = new Set<string>();
  for (const piece of searchText(question).toLowerCase().split(/\s+/)) {
    const parts = piece.match(words) ?? [];
    if (parts.length > 1 && parts.length <= 8) terms.add(`"${parts.join(" ")}"`);
    for (const part of parts) terms.add(`"${part}"`);
  }
  if (terms.size <= maxTerms) return [...terms];
  const longest = new Set([...terms].toSorted((a, b) => b.length - a.length).slice(0, maxTerms));
  return [...terms].filter((term) => longest.has(term));
}
