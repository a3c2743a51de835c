import type { ReferenceMark } from "../references/find-reference.ts";

/** Longer words behind a `/` are no commands. */
const maxLength = 60;

/**
 * The `/word` that the caret stands behind; undefined where there is none. It begins a line: a path within a sentence is none.
 * @param caret in UTF-16 units
 */
export function findCommand(text: string, caret: number): ReferenceMark | undefined {
  const before = text.slice(Math.max(0, caret - maxLength - 2), caret);
  const query = /(?:^|\n)\/([^\s/]*)$/u.exec(before)?.[1];
  // Cut in the middle, what stands at the beginning may be the middle of a line.
  if (query === undefined || query.length > maxLength) return undefined;
  const start = caret - query.length - 1;
  if (start > 0 && text[start - 1] !== "\n") return undefined;
  // Within a word, the rest of it belongs to the command, too.
  const rest = /^[^\s/]*/u.exec(text.slice(caret))?.[0] ?? "";
  return rest === "" ? { start, end: caret, query } : undefined;
}
