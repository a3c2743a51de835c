import type { RetrievalNote } from "./note.ts";

/** How many names are said. */
const shownNames = 2;

/** "Handbook", "Handbook and Rules", "Handbook, Rules and 3 more". */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, shownNames);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(", ")} and ${rest} more`;
  return shown.join(" and ");
}

/** What a search has come to, in words. @param names what was searched; empty where nothing could be */
export function describeOutcome(
  names: readonly string[],
  found: { passages: number; documents: number },
  notes: readonly RetrievalNote[],
): string {
  const left = notes.filter(
    ({ code }) => code !== "shortened" && code !== "search_incomplete" && code !== "search_failed",
  );
  const skipped = left.length === 0 ? "" : `; left out: ${listNames(left.map(({ name }) => name))}`;
  const failed = notes.find(({ code }) => code === "search_failed");
  if (failed) return failed.message;
  if (found.passages > 0) {
    const passages = found.passages === 1 ? "1 passage" : `${found.passages} passages`;
    const documents = found.documents === 1 ? "1 document" : `${found.documents} documents`;
    return `Found ${passages} in ${documents}${skipped}`;
  }
  return names.length > 0 ? `Nothing found in ${listNames(names)}${skipped}` : `Nothing to search${skipped}`;
}
