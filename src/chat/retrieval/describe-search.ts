import { listed, said, type StatusText } from "../../shared/status-words.ts";
import type { RetrievalNote } from "./note.ts";

/** How many names are listed. */
const shownNames = 2;

/** The names that are listed, and how many there are besides. */
export function shortNames(names: readonly string[]): [names: string[], more: number] {
  return [names.slice(0, shownNames), Math.max(0, names.length - shownNames)];
}

export function listNames(names: readonly string[]): string {
  return listed(...shortNames(names));
}

/**
 * The result of a search in words, with `words` where it is without restrictions.
 * @param names what was searched; empty if there was nothing
 */
export function describeOutcome(
  names: readonly string[],
  found: { passages: number; documents: number },
  notes: readonly RetrievalNote[],
): { description: string; words?: StatusText } {
  const failed = notes.find(({ code }) => code === "search_failed");
  if (failed) return { description: failed.message };
  const skipped = afterwards(notes);
  const outcome = said(outcomeText(names, found));
  return skipped === "" ? outcome : { description: `${outcome.description}${skipped}` };
}

function outcomeText(
  names: readonly string[],
  { passages, documents }: { passages: number; documents: number },
): StatusText {
  if (passages > 0) return ["found", passages, documents];
  return names.length > 0 ? ["nothingFound", ...shortNames(names)] : ["nothingToSearch"];
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
