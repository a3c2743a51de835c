import type { RetrievalNote } from "./note.ts";

/** How many names are listed. */
const shownNames = 2;

/** "Handbook", "Handbook and Rules", "Handbook, Rules and 3 more". */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, shownNames);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(", ")} and ${rest} more`;
  return shown.join(" and ");
}

/**
 * The result of a search in words.
 * @param names what was searched; empty if there was nothing
 */
export function describeOutcome(
  names: readonly string[],
  found: { passages: number; documents: number },
  notes: readonly RetrievalNote[],
): string {
  const skipped = afterwards(notes);
  const failed = notes.find(({ code }) => code === "search_failed");
  if (failed) return failed.message;
  if (found.passages > 0) {
    const passages = found.passages === 1 ? "1 passage" : `${found.passages} passages`;
    const documents = found.documents === 1 ? "1 document" : `${found.documents} documents`;
    return `Found ${passages} in ${documents}${skipped}`;
  }
  return names.length > 0 ? `Nothing found in ${listNames(names)}${skipped}` : `There was nothing to search${skipped}`;
}

/** Restrictions of a result that may look complete. */
function afterwards(notes: readonly RetrievalNote[]): string {
  const left = notes.filter(({ code }) => !["shortened", "search_incomplete", "search_failed"].includes(code));
  const cut = notes.filter(({ code }) => code === "shortened");
  const parts = [
    ...(left.length > 0 ? [`left out: ${listNames(left.map(({ name }) => name))}`] : []),
    ...(cut.length > 0 ? [`only part of ${listNames(cut.map(({ name }) => name))}`] : []),
    ...(notes.some(({ code }) => code === "search_incomplete") ? ["part of the search failed"] : []),
  ];
  return parts.map((part) => `; ${part}`).join("");
}
